// Cross sections by the windowed multipole method: for each nuclide of a material the resonances of the window around an energy,
// in complex numbers.
struct Complex {
  double r, i;
};

__device__ Complex made(double r, double i) {
  Complex z;
  z.r = r;
  z.i = i;
  return z;
}

__device__ Complex plus(Complex a, Complex b) { return made(a.r + b.r, a.i + b.i); }

__device__ Complex times(Complex a, Complex b) { return made(a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r); }

__device__ Complex over(Complex a, Complex b) {
  const double square = b.r * b.r + b.i * b.i;
  return made((a.r * b.r + a.i * b.i) / square, (a.i * b.r - a.r * b.i) / square);
}

struct Pole {
  Complex energy, total, absorption, fission;
};

struct Window {
  double total, absorption, fission;
  int start, end;
};

__global__ void multipoles(double *macro, const Pole *poles, const int *momenta, const Window *windows, const double *radii,
                           const double *energies, const int *materials, const int *first, const int *nuclides,
                           const double *concentrations, int poles_each, int windows_each, int lookups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lookups) return;
  const double energy = energies[i], root = sqrt(energy);
  const int material = materials[i];
  double sum[4];
  for (int c = 0; c < 4; c++) sum[c] = 0.0;
  for (int k = first[material]; k < first[material + 1]; k++) {
    const int nuclide = nuclides[k];
    int at = (int)(energy * windows_each);
    if (at == windows_each) at--;
    const Window window = windows[(size_t)nuclide * windows_each + at];

    // phases of the four angular momenta
    Complex factors[4];
    for (int l = 0; l < 4; l++) {
      double phase = radii[nuclide * 4 + l] * root;
      if (l == 1) {
        phase -= atan(phase);
      } else if (l == 2) {
        phase -= atan(3.0 * phase / (3.0 - phase * phase));
      } else if (l == 3) {
        phase -= atan(phase * (15.0 - phase * phase) / (15.0 - 6.0 * phase * phase));
      }
      factors[l] = made(cos(2.0 * phase), -sin(2.0 * phase));
    }

    double total = energy * window.total, absorption = energy * window.absorption, fission = energy * window.fission;
    for (int p = window.start; p < window.end; p++) {
      const Pole pole = poles[(size_t)nuclide * poles_each + p];
      const Complex psi = over(made(0.0, 1.0), plus(pole.energy, made(-root, 0.0)));
      const Complex scaled = made(psi.r / energy, psi.i / energy);
      total += times(times(pole.total, scaled), factors[momenta[(size_t)nuclide * poles_each + p]]).r;
      absorption += times(pole.absorption, scaled).r;
      fission += times(pole.fission, scaled).r;
    }
    const double concentration = concentrations[k];
    sum[0] += concentration * total;
    sum[1] += concentration * absorption;
    sum[2] += concentration * fission;
    sum[3] += concentration * (total - absorption);
  }
  for (int c = 0; c < 4; c++) macro[(size_t)i * 4 + c] = sum[c];
}
