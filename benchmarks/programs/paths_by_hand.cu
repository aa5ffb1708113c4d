// Prices of all steps stay in a local array; what the paths of a warp give to a step's parameters is added up, then over the
// blocks, which take many paths each.
const int MOST_STEPS = 80, PATH_BLOCKS = 1056;

template <bool Fresh>
__global__ void paths_back(const float *spot, const float *volatility, const float *rate, const float *noise,
                           float strike, float skew, float dt, int steps, int n, float *d_payoff, float *sums) {
  __shared__ float of_volatility[MOST_STEPS], of_rate[MOST_STEPS];
  const int t = static_cast<int>(threadIdx.x);
  for (int k = t; k < steps; k += static_cast<int>(blockDim.x)) of_volatility[k] = of_rate[k] = 0.0f;
  __syncthreads();
  const float start = spot[0], root = sqrtf(dt);
  float discount = 0.0f, of_spot = 0.0f;
  for (int k = 0; k < steps; k++) discount += rate[k] * dt;
  discount = expf(-discount);
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  const int rounds = (n + stride - 1) / stride;
  for (int round = 0; round < rounds; round++) {
    const int i = round * stride + static_cast<int>(blockIdx.x * blockDim.x) + t;
    float prices[MOST_STEPS], sum = 0.0f, price = start;
    const bool here = i < n;
    if (here) {
      for (int k = 0; k < steps; k++) {
        prices[k] = price;
        const float local = volatility[k] * (1.0f + skew * (price / start - 1.0f));
        price *= expf((rate[k] - 0.5f * local * local) * dt + local * root * noise[k * n + i]);
        sum += price;
      }
    }
    const float gain = sum / steps - strike;
    float d = here ? d_payoff[i] : 0.0f;
    if (!here || gain <= 0.0f) d = 0.0f;
    const float d_sum = d * discount / steps, d_rates = -d * gain * discount * dt;
    float d_price = 0.0f;
    for (int k = steps - 1; k >= 0; k--) {
      float d_rate = d_rates, d_volatility = 0.0f;
      if (here) {
        const float before = prices[k], factor = 1.0f + skew * (before / start - 1.0f);
        const float local = volatility[k] * factor;
        d_price += d_sum;
        const float d_exponent = d_price * price;
        d_price = d_price * (price / before);
        d_rate += d_exponent * dt;
        const float d_local = d_exponent * (root * noise[k * n + i] - local * dt);
        d_volatility = d_local * factor;
        const float d_moneyness = d_local * volatility[k] * skew;
        d_price += d_moneyness / start;
        of_spot -= d_moneyness * before / (start * start);
        price = before;
      }
      d_rate = warp_sum(d_rate);
      d_volatility = warp_sum(d_volatility);
      if (t % 32 == 0) {
        atomicAdd(&of_rate[k], d_rate);
        atomicAdd(&of_volatility[k], d_volatility);
      }
    }
    of_spot += d_price;
    if (here) spend<Fresh>(d_payoff[i]);
  }
  of_spot = block_sum(of_spot);
  __syncthreads();
  const int count = static_cast<int>(gridDim.x), b = static_cast<int>(blockIdx.x);
  for (int k = t; k < steps; k += static_cast<int>(blockDim.x)) {
    sums[k * count + b] = of_volatility[k];
    sums[(steps + k) * count + b] = of_rate[k];
  }
  if (t == 0) sums[2 * steps * count + b] = of_spot;
}

// A block for each parameter.
template <bool Fresh>
__global__ void add_up_paths(const float *sums, int count, int steps, float *d_spot, float *d_volatility,
                             float *d_rate) {
  const int k = static_cast<int>(blockIdx.x);
  double sum = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < count; j += static_cast<int>(blockDim.x)) sum += sums[k * count + j];
  sum = block_sum(sum);
  if (threadIdx.x != 0) return;
  float *to = k < steps ? &d_volatility[k] : k < 2 * steps ? &d_rate[k - steps] : d_spot;
  give<Fresh>(*to, static_cast<float>(sum));
}

template <bool Fresh>
void paths_by_hand(const at &a, float *, const float *spot, const float *volatility, const float *rate,
                   const float *noise, float strike, float skew, float dt, int steps, int n, float *d_payoff,
                   float *d_spot, float *d_volatility, float *d_rate) {
  const int count = a.grid.x < PATH_BLOCKS ? static_cast<int>(a.grid.x) : PATH_BLOCKS;
  float *sums = static_cast<float *>(scratch(sizeof(float) * PATH_BLOCKS * (2 * MOST_STEPS + 1)));
  LAUNCH_AS(a, count, a.block, 0, (paths_back<Fresh>), spot, volatility, rate, noise, strike, skew, dt, steps, n,
            d_payoff, sums);
  LAUNCH_AS(a, 2 * steps + 1, 256, 0, (add_up_paths<Fresh>), sums, count, steps, d_spot, d_volatility, d_rate);
}
