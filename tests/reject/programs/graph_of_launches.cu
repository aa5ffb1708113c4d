// f(x, y)
// CP0256
__global__ void square(double *y, const double *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
void f(double *y, const double *x) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  square<<<1, 32, 0, stream>>>(y, x);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
}
