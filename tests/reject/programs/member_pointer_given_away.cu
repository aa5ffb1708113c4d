// f(data)
// CP0233
struct Data {
  double *x, *y;
  int n;
};
__global__ void k(Data *data) {
  int i = threadIdx.x;
  if (i < data->n) data->y[i] = data->x[i] * data->x[i];
}
void f(Data *data) {
  double *x = data->x;
  data->x = data->y;
  data->y = x;
  k<<<1, 32>>>(data);
}
