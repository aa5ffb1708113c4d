// Prices of European call options. The gradient of the price by spot, volatility and rate gives the "greeks" delta,
// vega and rho of every option in one launch.
__device__ double standard_normal(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

__global__ void black_scholes(int n, const double *spot, const double *strike, const double *years,
                              const double *volatility, double rate, double *price) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double deviation = volatility[i] * sqrt(years[i]);
    double d1 = (log(spot[i] / strike[i]) + (rate + 0.5 * volatility[i] * volatility[i]) * years[i]) / deviation;
    double d2 = d1 - deviation;
    double discount = exp(-rate * years[i]);
    price[i] = spot[i] * standard_normal(d1) - strike[i] * discount * standard_normal(d2);
}
