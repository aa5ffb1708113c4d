// Arrays of vectors in shared memory, used in all ways: whole and by number, by address, by atomics.

// Two dimensions, overwritten in place, read by the thread across.
__global__ void transposed(double *out, const double *in) {
  __shared__ double2 tile[8][9];
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 64 + y * 8 + x;
  tile[y][x] = make_double2(in[2 * i], sin(in[2 * i + 1]));
  __syncthreads();
  tile[y][x].y *= tile[y][x].x;
  __syncthreads();
  const double2 across = tile[x][y];
  out[i] = across.x * across.y + tile[y][x].y;
}

// Neighbours by number: what two threads wrote is read by a third.
__global__ void turned(float *force, const float *place, int n) {
  __shared__ float4 near[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  near[t] = i < n ? make_float4(place[3 * i], place[3 * i + 1], place[3 * i + 2], 0.5f) : make_float4(0, 0, 0, 0);
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 32; ++k) {
    const float4 other = near[(t + k) % 32];
    const float d = other.x - near[t].y;
    sum += other.w * d * d * other.z;
  }
  if (i < n) force[i] = sum;
}

// Both numbers are results of one function, by their addresses.
__global__ void by_address(double *out, const double *in) {
  __shared__ double2 both[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  sincos(in[i], &both[t].x, &both[t].y);
  __syncthreads();
  out[i] = both[31 - t].x * both[t].y;
}

// Sums in both numbers, added to by all threads.
__global__ void summed(float *out, const float *in) {
  __shared__ float2 sums[4];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  if (t < 4) sums[t] = make_float2(0, 0);
  __syncthreads();
  atomicAdd(&sums[t % 4].x, in[i] * in[i]);
  atomicAdd(&sums[t / 8].y, sinf(in[i]));
  __syncthreads();
  if (t < 4) out[4 * blockIdx.x + t] = sums[t].x * sums[t].y;
}

// Of each vector one number is not needed, of the integers both are.
__global__ void gathered(double *out, const double *in, int n) {
  __shared__ int2 places[32];
  __shared__ double2 held[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  places[t] = make_int2((7 * i) % n, (3 * i + 1) % n);
  held[t] = make_double2(in[i % n], in[(i + 1) % n]);
  __syncthreads();
  const int2 from = places[31 - t];
  out[i] = in[from.x] * in[from.y] * held[(t + 1) % 32].x;
}
