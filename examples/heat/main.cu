// Looks for the temperatures to start with, and for the conductivity, by gradient descent.
#include <cstdio>
#include <vector>

#include "misfit_grad.cu"  // made by cladpy: heat.cu, and misfit_grad()

int main() {
  const int n = 300, steps = 200;
  std::vector<double> start(n, 0.5);
  double nu = 0.2;

  try {
    double loss = misfit(start.data(), nu, n, steps);
    std::printf("loss %.6f\n", loss);
    for (int round = 0; round < 5; ++round) {
      std::vector<double> d_start(n, 0.0);
      double d_nu = 0;
      misfit_grad(start.data(), nu, n, steps, d_start.data(), &d_nu);  // adds to d_start and d_nu

      for (int i = 0; i < n; ++i) start[i] -= 0.25 * n * d_start[i];
      nu -= 0.1 * d_nu;

      const double before = loss;
      loss = misfit(start.data(), nu, n, steps);
      std::printf("loss %.6f, nu %.6f\n", loss, nu);
      if (!(loss < before)) {
        std::fprintf(stderr, "the loss does not fall\n");
        return 1;
      }
    }
  } catch (const cladpy::program_error &error) {  // a call of CUDA's runtime, or a launch, failed
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
