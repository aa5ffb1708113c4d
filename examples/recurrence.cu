// A nonlinear recurrence per thread, with a length that depends on the data and an early exit: a loop that carries
// state from which the reverse sweep has to run back.
__global__ void recurrence(int n, const double *growth, const double *start, const int *steps, double *end) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double population = start[i];
    for (int step = 0; step < steps[i]; ++step) {
        population = growth[i] * population * (1.0 - population);
        if (population < 1e-3) break;
    }
    end[i] = population;
}
