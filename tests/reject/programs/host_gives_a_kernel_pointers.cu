// f(x)
// CP0245
struct Mesh { double *x; int n; };
__global__ void square(Mesh *mesh) { mesh->x[threadIdx.x] *= mesh->x[threadIdx.x]; }
double f(const double *x) {
  Mesh *mesh;
  cudaMallocManaged(&mesh, sizeof(Mesh));
  cudaMallocManaged(&mesh->x, 32 * sizeof(double));
  for (int i = 0; i < 32; ++i) mesh->x[i] = x[i];
  square<<<1, 32>>>(mesh);
  return mesh->x[0];
}
