// Few numbers go in and one comes out: derivatives go along on the way back through the tree, by what is exercised (spot and
// strike), by the two probabilities and by the logarithm of a step up.
struct Node {
  double value, spot, strike, p, q, logarithm;
};

__device__ __forceinline__ Node exercised(double spot, double strike, double logarithm, int rise) {
  const double factor = exp(logarithm * rise);
  return {strike - spot * factor, -factor, 1.0, 0.0, 0.0, -spot * factor * rise};
}

template <bool Fresh>
__global__ void binomial_back(const double *spot, const double *strike, const double *years, const double *volatility,
                              const double *rate, double *d_price, double *d_spot, double *d_strike, double *d_years,
                              double *d_volatility, double *d_rate) {
  __shared__ Node nodes[257];
  const int option = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  const int steps = static_cast<int>(blockDim.x) - 1;
  const double dt = years[option] / steps, root = sqrt(dt), logarithm = volatility[option] * root;
  const double up = exp(logarithm), down = 1.0 / up, growth = exp(rate[option] * dt), discount = 1.0 / growth;
  const double p = discount * (growth - down) / (up - down), q = discount - p;
  Node node = exercised(spot[option], strike[option], logarithm, 2 * t - steps);
  if (node.value <= 0.0) node = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  nodes[t] = node;
  __syncthreads();
  for (int level = steps - 1; level >= 0; level--) {
    if (t <= level) {
      const Node a = nodes[t + 1], b = nodes[t];
      const double held = p * a.value + q * b.value;
      node = exercised(spot[option], strike[option], logarithm, 2 * t - level);
      if (held >= node.value)
        node = {held, p * a.spot + q * b.spot, p * a.strike + q * b.strike, p * a.p + q * b.p + a.value,
                p * a.q + q * b.q + b.value, p * a.logarithm + q * b.logarithm};
    }
    __syncthreads();
    if (t <= level) nodes[t] = node;
    __syncthreads();
  }
  if (t > 0) return;
  const double d = d_price[option];
  const Node root_node = nodes[0];
  give<Fresh>(d_spot[option], d * root_node.spot);
  give<Fresh>(d_strike[option], d * root_node.strike);
  // q is the discount without p, and p is (1 - down discount) / (up - down)
  const double by_p = d * (root_node.p - root_node.q), by_q = d * root_node.q, width = 1.0 / (up - down);
  const double p_by_discount = -down * width, p_by_down = width * (p - discount), p_by_up = -p * width;
  const double by_logarithm = d * root_node.logarithm + by_p * (p_by_up * up - p_by_down * down);
  const double by_discount = by_q + by_p * p_by_discount;
  give<Fresh>(d_volatility[option], by_logarithm * root);
  give<Fresh>(d_rate[option], -by_discount * discount * dt);
  give<Fresh>(d_years[option],
              (by_logarithm * volatility[option] * 0.5 / root - by_discount * discount * rate[option]) / steps);
  spend<Fresh>(d_price[option]);
}

template <bool Fresh>
void binomial_by_hand(const at &a, double *, const double *spot, const double *strike, const double *years,
                      const double *volatility, const double *rate, double *d_price, double *d_spot, double *d_strike,
                      double *d_years, double *d_volatility, double *d_rate) {
  LAUNCH(a, (binomial_back<Fresh>), spot, strike, years, volatility, rate, d_price, d_spot, d_strike, d_years,
         d_volatility, d_rate);
}
