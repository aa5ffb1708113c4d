// Rows of the table meet, so that adds are atomic; a position's are summed by the thread that it belongs to.
template <bool Fresh>
__global__ void table_back(const int *tokens, int columns, int count, const float *d_out, float *d_table) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count * columns) return;
  atomicAdd(&d_table[tokens[i / columns] * columns + i % columns], d_out[i]);
}

template <bool Fresh>
__global__ void positions_back(int length, int columns, int count, float *d_out, float *d_positions) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= length * columns) return;
  float sum = 0.0f;
  for (int k = i; k < count * columns; k += length * columns) sum += d_out[k];
  give<Fresh>(d_positions[i], sum);
  for (int k = i; k < count * columns; k += length * columns) spend<Fresh>(d_out[k]);
}

template <bool Fresh>
void embedding_by_hand(const at &a, float *, const float *, const float *, const int *tokens, int length, int columns,
                       int count, float *d_out, float *d_table, float *d_positions) {
  LAUNCH(a, (table_back<Fresh>), tokens, columns, count, d_out, d_table);
  LAUNCH_AS(a, (length * columns + 255) / 256, 256, 0, (positions_back<Fresh>), length, columns, count, d_out,
            d_positions);
}
