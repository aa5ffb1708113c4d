// Enumerations: as parameters, in memory, in objects, as results and in calls that the gradient makes.

enum Mode { FAST, SLOW = 5 };
enum class Kind : unsigned char { LINEAR, SQUARE, CUBE };
namespace shapes {
struct Shape {
  enum class Side { LEFT, RIGHT };
  Side side;
  double width;
};
}  // namespace shapes

__device__ double steps(double x, Mode mode, Kind kind) {
  double s = x;
  for (int i = 0; i < 16; ++i) {
    s = mode == FAST ? sin(s) : s * 1.01;
    if (kind == Kind::SQUARE) s += cos(s * x);
  }
  return s;
}

__device__ Kind kind_of(const Kind *kinds, int i) {
  Kind found = kinds[0];
  for (int k = 0; k < i % 3; ++k) found = kinds[k + 1];
  return found;
}

__global__ void modes(const double *x, double *y, Mode mode, Kind kind, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Mode second = i % 2 ? FAST : mode;
  const double first = steps(x[i], second, kind);
  y[i] = first * first + steps(x[i] * 2, mode, Kind::CUBE);
}

__global__ void kinds_in_memory(const double *x, double *y, const Kind *kinds, Kind *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Kind own[3] = {Kind::CUBE, kinds[i % 3], Kind::LINEAR};
  found[i] = kind_of(kinds, i);
  switch (found[i]) {
    case Kind::LINEAR: y[i] = 2 * x[i]; break;
    case Kind::SQUARE: y[i] = x[i] * x[i]; break;
    default: y[i] = x[i] * x[i] * x[i];
  }
  if (own[i % 3] == Kind::SQUARE) y[i] *= x[i];
}

__global__ void sides(shapes::Shape *all, shapes::Shape one, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  shapes::Shape own = all[i];
  if (own.side == one.side) y[i] = own.width * one.width;
  own.side = shapes::Shape::Side::RIGHT;
  own.width *= own.width;
  all[i] = own;
}

__device__ Kind table[3] = {Kind::SQUARE, Kind::CUBE, Kind::LINEAR};
__constant__ Mode chosen_mode = SLOW;

__global__ void kinds_in_globals(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = table[i % 3] == Kind::CUBE || chosen_mode == FAST ? x[i] * x[i] : steps(x[i], chosen_mode, table[0]);
}

class Lamp {
  enum class Colour { RED, BLUE };
  Colour colour;
  Kind kind;

 public:
  double power;
  __device__ double light(double x) const { return colour == Colour::RED ? power * x : power * power * x; }
  __device__ void turn() {
    colour = colour == Colour::RED ? Colour::BLUE : Colour::RED;
    kind = Kind::SQUARE;
  }
};

__global__ void hidden_kinds(const double *x, Lamp *lamps, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  lamps[i].turn();
  y[i] = lamps[i].light(x[i]);
}
