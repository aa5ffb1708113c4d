// Buffers that are read around each thread's place, so that a thread for each cell may gather what others would add; and
// some that look like it. The grids have more threads than cells, and fewer.

#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)
#define GZ (blockIdx.z * blockDim.z + threadIdx.z)

__global__ void line(const double *x, double *y, int n) {
  int i = GX;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] * x[i] * x[i + 1];
}

// No guard: cells beyond the last thread, and before the first one, are given something too.
__global__ void unguarded(const double *x, double *y) {
  int i = GX;
  y[i] = x[i] * sin(x[i + 1]) * x[i + 4];
}

// Of a cell before the first thread no number can be widened.
__global__ void widened(const double *x, double *y, int offset, int n) {
  long long i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = x[offset + i - 1] * x[offset + i] * x[offset + i + 1];
}

// Seven points, by planes; what else the threads' numbers are used for must be as in the thread that is run again.
__global__ void space(const double *u, const double *source, double *next, int nx, int ny, int nz, double rate) {
  int x = GX, y = GY, z = blockIdx.z;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1 || z == 0 || z >= nz - 1) return;
  int c = (z * ny + y) * nx + x;
  double own = threadIdx.x % 2 + 0.5 * blockIdx.x + 0.25 * gridDim.x + blockIdx.z;
  double around = u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] + u[c - nx * ny] + u[c + nx * ny];
  next[c] = u[c] * source[c] + rate * own * around * u[c];
}

// Two fields that depend on each other, with an edge that is copied.
__global__ void fields(const float *u, const float *v, float *nu, float *nv, int nx, int ny, float dt) {
  int x = GX, y = GY, c = y * nx + x;
  if (x >= nx || y >= ny) return;
  if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
    nu[c] = u[c];
    nv[c] = 2.0f * v[c];
    return;
  }
  nu[c] = u[c] - dt * u[c] * (u[c + 1] - u[c - 1]) - dt * v[c] * (u[c + nx] - u[c - nx]);
  nv[c] = v[c] - dt * u[c] * (v[c + 1] - v[c - 1]) - dt * v[c] * (v[c + nx] - v[c - nx]);
}

// A cotangent is asked for twice by one thread: it is zero the second time.
__global__ void stored_twice(const double *x, double *y, int n) {
  int i = GX;
  if (i < 1 || i >= n) return;
  y[i] = x[i - 1] * x[i];
  if (x[i] > 0.9) y[i] = x[i - 1] + sin(x[i]);
}

// Rows are not as long as the guard lets columns be: cells share elements.
__global__ void narrow(const double *x, double *y, int nx, int ny, int pitch) {
  int i = GX, j = GY;
  if (i < nx && j < ny) y[j * nx + i] = x[j * pitch + i] * x[j * pitch + i + 1];
}

// Rows that all read one line.
__global__ void one_line(const double *x, double *y, int nx, int ny) {
  int i = GX, j = GY;
  if (i < nx && j < ny) y[j * nx + i] = x[i] * x[i + 1] * (j + 1);
}

// Along rows only: places of one axis are those of the cells.
__global__ void along_rows(const double *x, double *y, int nx, int ny) {
  int i = GX, j = GY;
  if (i > 0 && i < nx - 1 && j < ny) y[j * nx + i] = x[j * nx + i - 1] * x[j * nx + i] + x[j * nx + i + 1];
}

// Pairs: a place has two cells, of which the last is another one's first.
__global__ void pairs(const double *x, double *y, int n) {
  int i = GX;
  if (i < n) y[i] = x[2 * i] * x[2 * i + 1] * x[2 * i + 2];
}

// So much arithmetic that it is done once.
__global__ void dear(const double *x, double *y, int n) {
  int i = GX;
  if (i < 1 || i >= n) return;
  double a = x[i - 1], b = x[i];
  double c = exp(sin(a) * cos(b)) + log(1.0 + a * a) * tanh(b) + sqrt(1.0 + a * b) * atan(a - b);
  y[i] = sin(c) * exp(-c) + pow(a + 1.0, b) * cos(c * a) + log(2.0 + c * c) / (1.0 + exp(b)) + tan(0.1 * a) * cbrt(b + 2.0);
}

// Which places there are takes a division, that must not be done everywhere.
__global__ void part_of_line(const double *x, double *y, int n, int parts) {
  int i = GX;
  if (i > 0 && i < n - 1 && parts > 0) {
    if (i < n / parts) y[i] = x[i - 1] * x[i] * x[i + 1];
  }
}

// Factors in an array of the thread's own: more than arithmetic.
__global__ void with_factors(const double *x, double *y, int n) {
  int i = GX;
  double c[3];
  c[i % 3] = 1.0;
  c[(i + 1) % 3] = 2.0;
  c[(i + 2) % 3] = 3.0;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] * c[n % 3] + x[i + 1];
}
