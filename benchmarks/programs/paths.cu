// The Greeks of an average-price option by Monte Carlo: a path for each thread, over steps whose volatilities and rates all
// paths share, with a local volatility that falls as the price rises.
__global__ void paths(float *payoff, const float *spot, const float *volatility, const float *rate, const float *noise,
                      float strike, float skew, float dt, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float start = spot[0], root = sqrtf(dt);
  float price = start, sum = 0.0f, discount = 0.0f;
  for (int k = 0; k < steps; k++) {
    const float local = volatility[k] * (1.0f + skew * (price / start - 1.0f));
    price = price * expf((rate[k] - 0.5f * local * local) * dt + local * root * noise[k * n + i]);
    sum += price;
    discount += rate[k] * dt;
  }
  const float gain = sum / steps - strike;
  payoff[i] = gain > 0.0f ? gain * expf(-discount) : 0.0f;
}
