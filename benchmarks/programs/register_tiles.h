// A product of matrices as gradients written by hand use it: tiles in shared memory, and of these a smaller tile in the
// registers of each thread.
#ifndef CLADPY_BENCHMARKS_REGISTER_TILES_H
#define CLADPY_BENCHMARKS_REGISTER_TILES_H

// Of a row of a tile the numbers of one thread: fours at a distance, or ones.
template <int Each>
__device__ __forceinline__ void fetch(float *to, const float *from, int distance) {
  if (Each % 4 == 0) {
#pragma unroll
    for (int c = 0; c < Each; c += 4) {
      const float4 four = *reinterpret_cast<const float4 *>(from + c / 4 * distance);
      to[c] = four.x, to[c + 1] = four.y, to[c + 2] = four.z, to[c + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int c = 0; c < Each; c++) to[c] = from[c * distance];
  }
}

template <int Each>
__device__ __forceinline__ int column_of(int tx, int c) {
  return Each % 4 == 0 ? c / 4 * 64 + 4 * tx + c % 4 : tx + 16 * c;
}

// C (+)= op(P) op(Q), of `rows` x `columns`, over `depth`; op transposes where it says so. Row-major, no padding: op(P) is
// rows x depth. Tiles of Tile x Tile, 256 threads.
template <bool Fresh, bool TransP, bool TransQ, int Tile>
__global__ void __launch_bounds__(256) product_tiles(const float *P, const float *Q, float *C, int rows, int columns,
                                                     int depth) {
  constexpr int K = 8, Each = Tile / 16;
  alignas(16) __shared__ float p[K][Tile + 4];
  alignas(16) __shared__ float q[K][Tile + 4];
  const int t = static_cast<int>(threadIdx.x), tx = t % 16, ty = t / 16;
  const int first_row = static_cast<int>(blockIdx.y) * Tile, first_column = static_cast<int>(blockIdx.x) * Tile;
  float sum[Each][Each] = {};
  for (int k0 = 0; k0 < depth; k0 += K) {
    for (int e = t; e < Tile * K; e += 256) {
      const int k = TransP ? e / Tile : e % K, r = TransP ? e % Tile : e / K;
      const bool in = first_row + r < rows && k0 + k < depth;
      const int from = TransP ? (k0 + k) * rows + first_row + r : (first_row + r) * depth + k0 + k;
      p[k][r] = in ? P[from] : 0.0f;
    }
    for (int e = t; e < Tile * K; e += 256) {
      const int k = TransQ ? e % K : e / Tile, c = TransQ ? e / K : e % Tile;
      const bool in = first_column + c < columns && k0 + k < depth;
      const int from = TransQ ? (first_column + c) * depth + k0 + k : (k0 + k) * columns + first_column + c;
      q[k][c] = in ? Q[from] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < K; k++) {
      float left[Each], right[Each];
      fetch<Each>(left, &p[k][ty * Each], Each % 4 == 0 ? 4 : 1);
      fetch<Each>(right, &q[k][Each % 4 == 0 ? 4 * tx : tx], Each % 4 == 0 ? 64 : 16);
#pragma unroll
      for (int r = 0; r < Each; r++)
#pragma unroll
        for (int c = 0; c < Each; c++) sum[r][c] += left[r] * right[c];
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < Each; r++)
#pragma unroll
    for (int c = 0; c < Each; c++) {
      const int row = first_row + ty * Each + r, column = first_column + column_of<Each>(tx, c);
      if (row < rows && column < columns) give<Fresh>(C[row * columns + column], sum[r][c]);
    }
}

template <bool Fresh, bool TransP, bool TransQ>
void product(const at &a, const float *P, const float *Q, float *C, int rows, int columns, int depth) {
  const long long elements = 1LL * rows * columns;
  if (elements >= 1LL << 22) {
    const dim3 grid((columns + 127) / 128, (rows + 127) / 128);
    LAUNCH_AS(a, grid, 256, 0, (product_tiles<Fresh, TransP, TransQ, 128>), P, Q, C, rows, columns, depth);
  } else {
    const dim3 grid((columns + 31) / 32, (rows + 31) / 32);
    LAUNCH_AS(a, grid, 256, 0, (product_tiles<Fresh, TransP, TransQ, 32>), P, Q, C, rows, columns, depth);
  }
}
#endif
