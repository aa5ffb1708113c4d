// Equations stepped in time within a block: contents of shared memory are overwritten step by step.

// Burgers' equation, from one array into another and back by pointers that change places.
__global__ void burgers(const double *before, double *after, double viscosity, int steps) {
  extern __shared__ double memory[];
  int n = blockDim.x, t = threadIdx.x, i = blockIdx.x * n + t;
  double *u = memory, *v = memory + n;
  u[t] = before[i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    double left = u[(t + n - 1) % n], right = u[(t + 1) % n], mine = u[t];
    v[t] = mine - 0.05 * mine * (right - left) + viscosity * (left - 2.0 * mine + right);
    __syncthreads();
    double *swap = u;
    u = v;
    v = swap;
  }
  after[i] = u[t];
}

// The same in one array: read, wait, write, wait.
__global__ void burgers_in_place(double *state, double viscosity, int steps) {
  __shared__ double u[1026];
  int t = threadIdx.x + 1, i = blockIdx.x * blockDim.x + threadIdx.x;
  u[t] = state[i];
  if (threadIdx.x == 0) {
    u[0] = 0.1;
    u[blockDim.x + 1] = 0.3;
  }
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    double flux = u[t] > 0.5 ? u[t] * (u[t] - u[t - 1]) : u[t] * (u[t + 1] - u[t]);
    double next = u[t] - 0.1 * flux + viscosity * (u[t - 1] - 2.0 * u[t] + u[t + 1]);
    __syncthreads();
    u[t] = next;
    __syncthreads();
  }
  state[i] = u[t];
}

// Two substances that react and spread, in a periodic plane; two buffers by the parity of the step.
__global__ void gray_scott(const double *u0, const double *v0, double *u1, double *v1, double feed, double kill,
                           int steps) {
  __shared__ double u[2][8][9], v[2][8][9];
  int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.x * 8 + y) * 8 + x;
  u[0][y][x] = u0[at];
  v[0][y][x] = v0[at];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const int now = s % 2, next = 1 - now;
    int l = (x + 7) & 7, r = (x + 1) & 7, d = (y + 7) & 7, up = (y + 1) & 7;
    double a = u[now][y][x], b = v[now][y][x];
    double la = u[now][y][l] + u[now][y][r] + u[now][d][x] + u[now][up][x] - 4.0 * a;
    double lb = v[now][y][l] + v[now][y][r] + v[now][d][x] + v[now][up][x] - 4.0 * b;
    double reaction = a * b * b;
    u[next][y][x] = a + 0.16 * la - reaction + feed * (1.0 - a);
    v[next][y][x] = b + 0.08 * lb + reaction - (feed + kill) * b;
    __syncthreads();
  }
  u1[at] = u[steps % 2][y][x];
  v1[at] = v[steps % 2][y][x];
}

// Heat along a bar: a warp holds its cells in registers, the ends of warps meet in shared memory.
__global__ void heat_by_shuffles(const double *before, double *after, const double *conductivity, int steps) {
  __shared__ double first[32], last[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double u = before[i], c = conductivity[i];
  for (int s = 0; s < steps; ++s) {
    if (lane == 0) first[warp] = u;
    if (lane == 31) last[warp] = u;
    __syncthreads();
    double left = __shfl_up_sync(0xffffffff, u, 1), right = __shfl_down_sync(0xffffffff, u, 1);
    if (lane == 0) left = warp > 0 ? last[warp - 1] : 0.2;
    if (lane == 31) right = warp + 1 < warps ? first[warp + 1] : 0.4;
    u += c * (left - 2.0 * u + right) * (1.0 + 0.1 * u);
    __syncthreads();
  }
  after[i] = u;
}

// Several steps on a tile with a wide frame: each step has fewer cells that are right.
__global__ void pyramid(const double *before, double *after, int n, int steps) {
  __shared__ double u[2][80];
  int width = blockDim.x, inner = width - 2 * steps;
  int t = threadIdx.x, i = blockIdx.x * inner + t - steps;
  u[0][t] = i >= 0 && i < n ? before[i] : 0.0;
  __syncthreads();
  for (int s = 1; s <= steps; ++s) {
    if (t >= s && t < width - s) {
      double m = u[(s + 1) & 1][t];
      u[s & 1][t] = i >= 0 && i < n ? m + 0.2 * (u[(s + 1) & 1][t - 1] + u[(s + 1) & 1][t + 1] - 2 * m) * m : 0.0;
    }
    __syncthreads();
  }
  if (t >= steps && t < width - steps && i < n) after[i] = u[steps & 1][t];
}

// Red and black cells in turn.
__global__ void gauss_seidel(const double *source, double *solution, double weight, int sweeps) {
  __shared__ double u[6][6], f[6][6];
  int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.x * 6 + y) * 6 + x;
  bool edge = x == 0 || y == 0 || x == 5 || y == 5;
  u[y][x] = solution[at];
  f[y][x] = source[at];
  __syncthreads();
  for (int s = 0; s < sweeps; ++s)
    for (int colour = 0; colour < 2; ++colour) {
      if (!edge && (x + y) % 2 == colour) {
        double around = u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1];
        u[y][x] = (1.0 - weight) * u[y][x] + weight * 0.25 * (around - f[y][x] * u[y][x]);
      }
      __syncthreads();
    }
  solution[at] = u[y][x];
}

// Until nothing moves any more: how many steps that takes is decided by the numbers.
__global__ void until_it_rests(const double *x, double *y, int *rounds, int n) {
  __shared__ double u[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, right = (t + 1) % blockDim.x;
  u[t] = i < n ? x[i] : 0.6;
  __syncthreads();
  int count = 0;
  double moved;
  do {
    double next = 0.5 * (u[t] + u[right]) + 0.05 * sin(u[t]) - 0.05 * u[t];
    moved = fabs(next - u[t]);
    __syncthreads();
    u[t] = next;
    ++count;
  } while (__syncthreads_or(moved > 0.08) && count < 20);
  if (i < n) y[i] = u[t];
  if (t == 0) rounds[blockIdx.x] = count;
}

// Waves: three levels in time, of which two are kept in registers.
__global__ void waves(const double *start, const double *speed, double *record, int steps) {
  __shared__ double line[258];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double now = start[i], earlier = now, c = speed[i] * speed[i] * 0.1;
  if (t == 0) line[0] = line[blockDim.x + 1] = 0.0;
  for (int s = 0; s < steps; ++s) {
    line[t + 1] = now;
    __syncthreads();
    double next = 2.0 * now - earlier + c * (line[t] - 2.0 * now + line[t + 2]) - 0.01 * now * now * now;
    earlier = now;
    now = next;
    __syncthreads();
    if (t == blockDim.x / 2) record[blockIdx.x * steps + s] = now * now;
  }
}
