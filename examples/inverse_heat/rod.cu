// A rod is heated at one end, and a thermometer lies inside. Nothing here knows of derivatives.

// One step of time: the flux enters the first cell, and nothing leaves the last. Heat is conducted better where it is hot.
__global__ void conduct(int n, const double *flux, int time, double rate, const double *from, double *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double here = from[i], change = 0;
    if (i > 0) change += (1 + 0.1 * (from[i - 1] + here)) * (from[i - 1] - here);
    if (i + 1 < n) change += (1 + 0.1 * (from[i + 1] + here)) * (from[i + 1] - here);
    to[i] = here + rate * change + (i == 0 ? flux[time] : 0);
}

__global__ void look(const double *temperature, int place, int time, double *seen) { seen[time] = temperature[place]; }

// What the thermometer shows at each time is left in `seen`; given is how far it is from what was measured.
double misfit(int n, int steps, double rate, int place, const double *flux, const double *measured, double *seen) {
    double *now, *next;
    cudaMalloc(&now, n * sizeof(double));
    cudaMalloc(&next, n * sizeof(double));
    cudaMemset(now, 0, n * sizeof(double));
    for (int time = 0; time < steps; ++time) {
        conduct<<<(n + 63) / 64, 64>>>(n, flux, time, rate, now, next);
        double *other = now;
        now = next;
        next = other;
        look<<<1, 1>>>(now, place, time, seen);
    }
    double *shown = new double[steps];
    cudaMemcpy(shown, seen, steps * sizeof(double), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int time = 0; time < steps; ++time) sum += (shown[time] - measured[time]) * (shown[time] - measured[time]);
    delete[] shown;
    cudaFree(now);
    cudaFree(next);
    return sum;
}
