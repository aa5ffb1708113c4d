// Short loops that add to neighbouring elements: all threads to the same ones, or each from one behind the last on; and
// what looks like it. With them loops of threads that run unequally often, and loops after a guard, in nests.

#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)

// The keys are the same for all threads, which go through unequally many of them.
__global__ void causal(const float *queries, const float *keys, const float *values, float *out, int length) {
  const int t = GX;
  if (t >= length) return;
  float query[5], sums[5];
  for (int c = 0; c < 5; c++) query[c] = queries[t * 5 + c], sums[c] = 0.0f;
  float largest = -1e30f, whole = 0.0f;
  for (int s = 0; s <= t; s++) {
    float score = 0.0f;
    for (int c = 0; c < 5; c++) score += query[c] * keys[c + s * 5];
    largest = fmaxf(largest, score);
  }
  for (int s = 0; s <= t; s++) {
    float score = 0.0f;
    for (int c = 0; c < 5; c++) score += query[c] * keys[s * 5 + c];
    const float weight = expf(score - largest);
    whole += weight;
    for (int c = 0; c < 5; c++) sums[c] += weight * values[s * 5 + c];
  }
  for (int c = 0; c < 5; c++) out[t * 5 + c] = sums[c] / whole;
}

// Weights of nine, and inputs of three beside each other.
__global__ void convolved(const double *in, const double *w, double *out, int inputs, int width, int height) {
  const int x = GX, y = GY, channel = blockIdx.z;
  if (x >= width - 2 || y >= height - 2) return;
  double sum = 0.0;
  for (int k = 0; k < inputs; k++)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        sum += in[(k * height + y + r) * width + x + c] * w[((channel * inputs + k) * 3 + r) * 3 + c];
  out[(channel * (height - 2) + y) * (width - 2) + x] = sin(sum);
}

// With zeros around: elements that no iteration reads lie outside of the array.
__global__ void padded(const double *in, const double *w, double *out, int width) {
  const int x = GX;
  if (x >= width) return;
  double sum = 0.0;
  for (int c = 0; c < 5; c++) {
    const int at = x + c - 2;
    if (at >= 0 && at < width) sum += in[at] * w[c];
  }
  out[x] = sum * sum;
}

// The same with numbers that are never negative: before the first element there is a very large one.
__global__ void padded_unsigned(const double *in, const double *w, double *out, unsigned width) {
  const unsigned x = GX;
  if (x >= width) return;
  double sum = 0.0;
  for (unsigned c = 0; c < 5; c++) {
    const unsigned at = x + c - 2;
    if (at < width) sum += in[at] * w[4 - c];
  }
  out[x] = sum * sum;
}

// Rows that are not neighbours: every second element, from the end, and as a table says.
__global__ void elsewhere(const double *a, const double *b, const double *c, const int *table, double *out, int n) {
  const int i = GX;
  if (i >= n) return;
  double sum = 0.0;
  for (int k = 0; k < 4; k++) sum += a[2 * k] * b[3 - k] * c[table[k]] * out[i + 0 * k];
  for (int k = 0; k < 4; k++)
    for (int m = 0; m < 3; m++) sum += a[k * 2 + m] * b[(k + m) % 4] * c[k * k];
  out[i] = sum;
}

// More elements than there are lanes, some of them several times, in two loops.
__global__ void many(const double *w, const double *x, double *y, int n) {
  const int i = GX;
  if (i >= n) return;
  double sum = 0.0;
  for (int k = 0; k < 40; k++) sum += w[k + i / 64] * sin(x[i] * (k + 1));
  for (int k = 0; k < 6; k++)
    for (int m = 0; m < 4; m++) sum += w[4 + m] * x[i] * (m + k) + w[k] * x[i];
  y[i] = sum;
}

// What is added to is read between, by a store to the same memory: nothing may wait.
__global__ void in_place(double *x, const double *w, int n) {
  const int i = GX;
  if (i != 0) return;
  for (int k = 0; k < 6; k++) x[k + 1] = x[k] * w[k] + x[k + 2] * w[k + 1];
}

// An iteration leaves early, or never comes to it.
__global__ void leaving(const double *w, const double *x, double *y, int n) {
  const int i = GX;
  if (i >= n) return;
  double sum = 0.0;
  for (int k = 0; k < 8; k++) {
    if (sum > 2.0) break;
    if ((i + k) % 3 == 0) continue;
    sum += w[k] * x[i];
  }
  y[i] = sum;
}

// What is kept of local arrays in nested loops behind two guards.
__global__ void guarded_nest(const double *x, double *y, int n, int steps) {
  const int i = GX;
  if (i >= n) return;
  double state[3] = {x[i], 1.0, 0.5};
  if (x[i] > 0.3) {
    for (int s = 0; s < steps + i % 3; s++)
      for (int c = 0; c < 3; c++) state[c] = sin(state[c]) * state[(c + 1) % 3] + x[i];
    double product = 1.0;
    for (int c = 0; c < 3; c++) product *= state[c];
    y[i] = product;
  } else {
    double sum = 0.0;
    for (int s = 0; s < steps; s++)
      for (int c = 0; c < 3; c++) sum += state[c] * x[i] * s, state[c] += sum;
    y[i] = sum;
  }
}

// A largest sum, of numbers from an array of the thread's own that is changed afterwards, and one that changes in the loop.
__global__ void largest_of_sums(const double *x, const double *w, double *y, int n) {
  const int i = GX;
  if (i >= n) return;
  double own[4], still[4];
  for (int c = 0; c < 4; c++) own[c] = x[i] * (c + 1), still[c] = cos(x[i] + c);
  double largest = -9.0, other = -9.0;
  for (int s = 0; s < 1 + i % 7; s++) {
    double sum = 0.0;
    for (int c = 0; c < 4; c++) sum += own[c] * w[(s + c) % 6];
    largest = fmax(largest, sum);
  }
  for (int s = 0; s < 5; s++) {
    double sum = 0.0;
    for (int c = 0; c < 4; c++) sum += still[c] * own[c] * w[(s * c) % 6];
    if (s % 2) own[s % 4] *= sum;
    other = fmax(other, sum);
  }
  y[i] = largest * other * own[1];
}
