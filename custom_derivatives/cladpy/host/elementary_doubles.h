// Functions of doubles without branches, as those of floats in elementary.h, where CLADPY_HOST_STRAIGHT is. Part of that file.
//
// They are at most one unit in the last place away (0.86 was found), and nothing is contracted: where a result needs more
// than a double, what is left of an operation is carried along as a second one.
#ifndef CLADPY_HOST_ELEMENTARY_DOUBLES_H
#define CLADPY_HOST_ELEMENTARY_DOUBLES_H

namespace cladpy {
namespace host {
namespace elementary {

// A number and what is left of it.
struct Pair {
  double high, low;
};

// x + y, where x is not the smaller one.
constexpr CLADPY_HOST_SHORT Pair sum_of(double x, double y) {
  const double sum = x + y;
  return {sum, y - (sum - x)};
}
// x - y
constexpr CLADPY_HOST_SHORT Pair difference(double x, double y) {
  const double high = x - y, taken = x - high;
  return {high, (x - (high + taken)) + (taken - y)};
}
// The upper half of a number's bits: a product of two such halves is exact.
constexpr CLADPY_HOST_SHORT double half_of(double x) { return number(bits(x) & ~0x7ffffffull); }
// What is left of the product x * y, of which that is the nearest.
constexpr CLADPY_HOST_SHORT double left_of(double product, double x, double y) {
  const double a = half_of(x), b = half_of(y), c = x - a, d = y - b;
  return ((a * b - product) + a * d + c * b) + c * d;
}

constexpr double integer_shifter = 0x1.8p52; // added, it leaves the nearest integer in the last bits
constexpr CLADPY_HOST_SHORT Bits whole(double k) { return bits(k + integer_shifter) - bits(integer_shifter); }

// e^x = 2^whole * (1 + rest.high + rest.low) for |x| <= 800.
struct Growth {
  Bits whole;
  Pair rest;
};
constexpr CLADPY_HOST_SHORT Growth growth_of(double x) {
  const double k = x * 0x1.71547652b82fep+0 + integer_shifter - integer_shifter;
  const double near = x - k * 0x1.62e42fefa3000p-1, far = k * 0x1.3de6af278ece6p-42, r = near - far;
  // (e^r - 1 - r) / r^2 to 2^-59, |r| <= ln 2 / 2
  double rest = 0x1.1f731ea5352cap-29;
  rest = 0x1.af4e196027428p-26 + r * rest;
  rest = 0x1.27e4db57442fbp-22 + r * rest;
  rest = 0x1.71de021a90822p-19 + r * rest;
  rest = 0x1.a01a01a6dcaffp-16 + r * rest;
  rest = 0x1.a01a01abef415p-13 + r * rest;
  rest = 0x1.6c16c16c162ccp-10 + r * rest;
  rest = 0x1.11111111100cep-7 + r * rest;
  rest = 0x1.5555555555556p-5 + r * rest;
  rest = 0x1.5555555555557p-3 + r * rest;
  rest = 0.5 + r * rest;
  return {whole(k), sum_of(r, r * r * rest + ((near - r) - far))};
}

constexpr CLADPY_HOST_SHORT double exp(double x) {
  CLADPY_HOST_CONSTANT(__builtin_exp(x))
  const double most = x > 710.0 ? 710.0 : x, inside = most < -746.0 ? -746.0 : most;
  const Growth e = growth_of(inside);
  // by two factors, since 2^k may be too large or too small for one
  const Bits k = e.whole + 2048, half = k >> 1;
  return (1.0 + (e.rest.high + e.rest.low)) * number((half - 1) << 52) * number((k - half - 1) << 52);
}

// E = e^(2 |x|) - 1 and the reciprocal of E + 2, for |x| below what makes it infinite.
struct Doubled {
  Pair growth, sum;
  double reciprocal;
};
constexpr CLADPY_HOST_SHORT Doubled doubled(double x) {
  const double twice = 2.0 * __builtin_fabs(x);
  const Growth e = growth_of(twice > 708.0 ? 708.0 : twice);
  const double scale = number((e.whole + 1023) << 52), base = scale - 1.0;
  const Pair first = difference(base, -scale * e.rest.high);
  const Pair growth = sum_of(first.high, first.low + scale * e.rest.low);
  const Pair sum = difference(growth.high, -2.0);
  return {growth, {sum.high, sum.low + growth.low}, 1.0 / sum.high};
}

// E / (E + 2): a quotient by the reciprocal, and what it misses.
constexpr CLADPY_HOST_SHORT double tanh(double x) {
  CLADPY_HOST_CONSTANT(__builtin_tanh(x))
  const Doubled d = doubled(x);
  const double first = d.growth.high * d.reciprocal, product = first * d.sum.high;
  const double missed = (d.growth.high - product) - left_of(product, first, d.sum.high);
  const double size = first + (missed + (d.growth.low - first * d.sum.low)) * d.reciprocal;
  return number(bits(size) | (bits(x) & sign));
}
// The derivative of that, 4 (E + 1) / (E + 2)^2, which vanishes where it is no longer a normal number.
constexpr CLADPY_HOST_SHORT double tanh_dx(double x) {
  const double reciprocal = doubled(x).reciprocal, found = 4.0 * reciprocal * (1.0 - reciprocal);
  return __builtin_fabs(x) > 354.0 ? 0.0 : found;
}

// x = 2^k * (1 + f) with 1 + f between the roots of 1/2 and 2, and log(1 + f) = 2 atanh(f / (2 + f)).
constexpr CLADPY_HOST_SHORT double log(double x) {
  CLADPY_HOST_CONSTANT(__builtin_log(x))
  constexpr Bits root = 0x3fe6a09e667f3bcdull, one = 0x3ff0000000000000ull, exponent = 0xfffull << 52;
  const bool tiny = x < 0x1p-1022;
  const double normal = tiny ? x * 0x1p54 : x;
  const Bits above = bits(normal) - root + one; // of which the exponent is k's
  const double k = number((above >> 52) + bits(integer_shifter)) - (integer_shifter + 1023.0) - (tiny ? 54.0 : 0.0);
  const double f = number(bits(normal) - (above & exponent) + one) - 1.0;
  const double s = f / (2.0 + f), u = s * s, half_square = 0.5 * f * f;
  double series = 0x1.2b584aae78a57p-3; // log(1 + f) / s^3 - 2 / s^2 to 2^-51
  series = 0x1.39fe606542ddep-3 + u * series;
  series = 0x1.7462b4ab2ef6bp-3 + u * series;
  series = 0x1.c71c62e5800a1p-3 + u * series;
  series = 0x1.2492492df148dp-2 + u * series;
  series = 0x1.99999999952e2p-2 + u * series;
  series = 0x1.5555555555558p-1 + u * series;
  const double rest = s * (half_square + u * series) + k * 0x1.3de6af278ece6p-42;
  const double found = k * 0x1.62e42fefa3000p-1 - ((half_square - rest) - f);
  const double inside = x < __builtin_inf() ? found : x; // what is no number stays so
  return x > 0.0 ? inside : x == 0.0 ? -__builtin_inf() : x < 0.0 ? __builtin_nan("") : x;
}

// 34 zeros and the digits of 2/pi.
constexpr Bits turns[] = {
      0x0000000028be60dbull, 0x9391054a7f09d5f4ull, 0x7d4d377036d8a566ull, 0x4f10e4107f9458eaull,
      0xf7aef1586dc91b8eull, 0x909374b801924bbaull, 0x827464873f877ac7ull, 0x2c4a69cfba208d7dull,
      0x4baed1213a671c09ull, 0xad17df904e64758eull, 0x60d4ce7d272117e2ull, 0xef7e4a0ec7fe25ffull,
      0xf7816603fbcbc462ull, 0xd6829b47db4d9fb3ull, 0xc9f2c26dd3d18fd9ull, 0xa797fa8b5d49eeb1ull,
      0xfaf97c5ecf41ce7dull, 0xe294a4ba9afed7ecull, 0x47e357421580cc11ull,
};
// The word of them that lies `first` behind that whose number is in the low bits of `at`. By choices of integers: loops with
// a table in them become vectors on few machines only, and those with nested conditions on none.
constexpr CLADPY_HOST_SHORT Bits chosen(Bits bit, Bits yes, Bits no) { return no ^ ((yes ^ no) & -(bit & 1)); }
template <int first, int step = 0> constexpr CLADPY_HOST_SHORT Bits turns_at(Bits at) {
  if constexpr (step == 4)
    return turns[first];
  else
    return chosen(at >> step, turns_at<first + (1 << step), step + 1>(at), turns_at<first, step + 1>(at));
}

// x = quarters * pi/2 + rest, |rest| <= pi/4; of the quarters the last two bits count.
struct Quadrant {
  Bits quarters;
  Pair rest;
};

// Where x is large: its bits, as an integer, times those of 2/pi, of which only those after the integer's end are needed.
constexpr CLADPY_HOST_SHORT Quadrant far_quadrant(double x) {
  constexpr Bits part = 0x7fffffffull;
  // from the digit on whose product with the integer is 2, since 4 are a whole turn: 186 of them, in parts of 31
  const Bits place = ((bits(x) >> 52) & 0x7ff) - 1043, word = place >> 6, shift = place & 63, other = 63 - shift;
  const Bits w0 = turns_at<0>(word), w1 = turns_at<1>(word), w2 = turns_at<2>(word), w3 = turns_at<3>(word);
  const Bits first = (w0 << shift) | ((w1 >> 1) >> other), second = (w1 << shift) | ((w2 >> 1) >> other);
  const Bits third = (w2 << shift) | ((w3 >> 1) >> other);
  const Bits p5 = first >> 33, p4 = (first >> 2) & part, p3 = ((first << 29) | (second >> 35)) & part;
  const Bits p2 = (second >> 4) & part, p1 = ((second << 27) | (third >> 37)) & part, p0 = (third >> 6) & part;
  const Bits whole = (bits(x) & 0xfffffffffffffull) | 1ull << 52, low = whole & part, high = whole >> 31;
  const Bits a = low * p1 + high * p0;
  const Bits b = low * p2 + high * p1 + (a >> 31);
  const Bits c = low * p3 + high * p2 + (b >> 31);
  const Bits d = low * p4 + high * p3 + (c >> 31);
  const Bits e = low * p5 + high * p4 + (d >> 31);
  const Bits quarters = ((e & part) + (1ull << 28)) >> 29;
  const double most = number(bits(integer_shifter) + (e & part) - (quarters << 29)) - integer_shifter;
  const Pair upper = sum_of(most * 0x1p-29, (number(bits(integer_shifter) + (d & part)) - integer_shifter) * 0x1p-60);
  const double next = (number(bits(integer_shifter) + (c & part)) - integer_shifter) * 0x1p-91;
  const double last = (number(bits(integer_shifter) + (b & part)) - integer_shifter) * 0x1p-122;
  const Pair turned = sum_of(upper.high, upper.low + (next + last));
  constexpr double quarter = 0x1.921fb54442d18p+0, left = 0x1.1a62633145c07p-54;
  const double product = turned.high * quarter;
  const Pair rest = sum_of(product, left_of(product, turned.high, quarter) + (turned.high * left + turned.low * quarter));
  const Bits turn = bits(x) & sign;
  return {turn ? -quarters : quarters, {number(bits(rest.high) ^ turn), number(bits(rest.low) ^ turn)}};
}

constexpr CLADPY_HOST_SHORT Quadrant quadrant(double x) {
  const double size = __builtin_fabs(x);
  const bool is_far = size > 0x1p20;
  const double inside = is_far ? 0.0 : x;
  // by pi/2 in parts of 33 bits, of which so many times each is exact
  const double k = inside * 0x1.45f306dc9c883p-1 + integer_shifter - integer_shifter;
  const Pair first = difference(inside - k * 0x1.921fb54400000p+0, k * 0x1.0b4611a600000p-34);
  const Pair second = difference(first.high, k * 0x1.3198a2e000000p-69);
  const Pair rest = sum_of(second.high, (first.low + second.low) - k * 0x1.b839a252049c1p-104);
  const Quadrant far = far_quadrant(x);
  const double high = is_far ? far.rest.high + (x - x) : k == 0.0 ? x : rest.high; // -0 is kept
  return {is_far ? far.quarters : whole(k), {high, is_far ? far.rest.low : rest.low}};
}

// Sine and cosine of the rest, by polynomials to 2^-59.
constexpr CLADPY_HOST_SHORT double sine_of(Pair x) {
  const double u = x.high * x.high, cube = u * x.high;
  double series = 0x1.5e0a4fc16be59p-33;
  series = -0x1.ae6008d114485p-26 + u * series;
  series = 0x1.71de37946ed6dp-19 + u * series;
  series = -0x1.a01a019e820aep-13 + u * series;
  series = 0x1.1111111110babp-7 + u * series;
  return x.high - ((u * (0.5 * x.low - cube * series) - x.low) - cube * -0x1.5555555555555p-3);
}
constexpr CLADPY_HOST_SHORT double cosine_of(Pair x) {
  const double u = x.high * x.high, half = 0.5 * u, most = 1.0 - half;
  double series = -0x1.907cd8ff5ede7p-37;
  series = 0x1.1eeb67d026ec6p-29 + u * series;
  series = -0x1.27e4fa16cc2d1p-22 + u * series;
  series = 0x1.a01a019f4ddfdp-16 + u * series;
  series = -0x1.6c16c16c16963p-10 + u * series;
  series = 0x1.5555555555555p-5 + u * series;
  return most + (((1.0 - most) - half) + (u * u * series - x.high * x.low));
}
constexpr CLADPY_HOST_SHORT double of_quarter(Bits quarters, Pair rest) {
  return number(chosen(quarters, bits(cosine_of(rest)), bits(sine_of(rest))) ^ ((quarters & 2) << 62));
}

constexpr CLADPY_HOST_SHORT double sin(double x) {
  CLADPY_HOST_CONSTANT(__builtin_sin(x))
  const Quadrant at = quadrant(x);
  return of_quarter(at.quarters, at.rest);
}
constexpr CLADPY_HOST_SHORT double cos(double x) {
  CLADPY_HOST_CONSTANT(__builtin_cos(x))
  const Quadrant at = quadrant(x);
  return of_quarter(at.quarters + 1, at.rest);
}

} // namespace elementary
} // namespace host
} // namespace cladpy

#endif
