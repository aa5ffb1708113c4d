// An option on the mean of a share's price over a year, by simulation: a thread for each path of each option, whose payoff
// is added to the option's price. Nothing here knows of derivatives.
__global__ void asian(int paths, int days, const double *normal, const double *spot, double strike,
                      const double *volatility, const double *rate, double *price) {
    int path = blockIdx.x * blockDim.x + threadIdx.x;
    int option = blockIdx.y;
    if (path >= paths) return;
    double dt = 1.0 / days, share = spot[option], mean = 0, r = rate[option], v = volatility[option];
    for (int day = 0; day < days; ++day) {
        double shock = normal[day * paths + path];
        share *= exp((r - 0.5 * v * v) * dt + v * sqrt(dt) * shock);
        mean += share / days;
    }
    if (mean > strike) atomicAdd(&price[option], exp(-r) * (mean - strike) / paths);
}
