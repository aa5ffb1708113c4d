// American puts on binomial trees: a block for each option, a thread for each node of the last level, and a barrier for each step
// back. The tree has as many steps as the block has threads, without one.
__global__ void binomial(double *price, const double *spot, const double *strike, const double *years,
                         const double *volatility, const double *rate) {
  __shared__ double values[257];
  const int option = blockIdx.x, t = threadIdx.x, steps = blockDim.x - 1;
  const double dt = years[option] / steps, up = exp(volatility[option] * sqrt(dt)), down = 1.0 / up;
  const double discount = exp(-rate[option] * dt);
  const double p = discount * (exp(rate[option] * dt) - down) / (up - down), q = discount - p;
  const double logarithm = volatility[option] * sqrt(dt);
  values[t] = fmax(strike[option] - spot[option] * exp(logarithm * (2 * t - steps)), 0.0);
  __syncthreads();
  for (int level = steps - 1; level >= 0; level--) {
    double value = 0.0;
    if (t <= level) {
      const double held = p * values[t + 1] + q * values[t];
      value = fmax(held, strike[option] - spot[option] * exp(logarithm * (2 * t - level)));
    }
    __syncthreads();
    if (t <= level) values[t] = value;
    __syncthreads();
  }
  if (t == 0) price[option] = values[0];
}
