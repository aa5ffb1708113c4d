struct Complex {
  double r, i;
};

__device__ __forceinline__ Complex times(Complex a, Complex b) {
  return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}

// Of Re(a b) by a: the conjugate of b.
__device__ __forceinline__ void add(Complex *to, double d, Complex b) {
  atomicAdd(&to->r, d * b.r);
  atomicAdd(&to->i, -d * b.i);
}

struct Pole {
  Complex energy, total, absorption, fission;
};

struct Window {
  double total, absorption, fission;
  int start, end;
};

template <bool Fresh>
__global__ void multipoles_back(const Pole *poles, const int *momenta, const Window *windows, const double *radii, const double *energies,
                                const int *materials, const int *first, const int *nuclides,
                                const double *concentrations, int poles_each, int windows_each, int lookups,
                                double *d_macro, Pole *d_poles) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= lookups) return;
  const double energy = energies[i], root = sqrt(energy), inverse = 1.0 / energy;
  const int material = materials[i];
  double d[4];
  for (int c = 0; c < 4; c++) d[c] = d_macro[static_cast<size_t>(i) * 4 + c];
  for (int k = first[material]; k < first[material + 1]; k++) {
    const int nuclide = nuclides[k];
    int at = static_cast<int>(energy * windows_each);
    if (at == windows_each) at--;
    const Window window = windows[static_cast<size_t>(nuclide) * windows_each + at];
    Complex factors[4];
#pragma unroll
    for (int l = 0; l < 4; l++) {
      double phase = radii[nuclide * 4 + l] * root;
      const double square = phase * phase;
      if (l == 1) phase -= atan(phase);
      if (l == 2) phase -= atan(3.0 * phase / (3.0 - square));
      if (l == 3) phase -= atan(phase * (15.0 - square) / (15.0 - 6.0 * square));
      double sine, cosine;
      sincos(2.0 * phase, &sine, &cosine);
      factors[l] = {cosine, -sine};
    }
    const double concentration = concentrations[k] * inverse;
    const double d_total = concentration * (d[0] + d[3]), d_fission = concentration * d[2];
    const double d_absorption = concentration * (d[1] - d[3]);
    for (int p = window.start; p < window.end; p++) {
      const size_t which = static_cast<size_t>(nuclide) * poles_each + p;
      const Pole pole = poles[which];
      Pole *to = d_poles + which;
      const double x = pole.energy.r - root, y = pole.energy.i, square = 1.0 / (x * x + y * y);
      const Complex psi = {y * square, x * square};  // i over (x + i y)
      const Complex turned = times(psi, factors[momenta[which]]);
      const Complex with = times(pole.total, factors[momenta[which]]);
      // all that psi is multiplied by, with its cotangents
      const Complex by = {d_total * with.r + d_absorption * pole.absorption.r + d_fission * pole.fission.r,
                          d_total * with.i + d_absorption * pole.absorption.i + d_fission * pole.fission.i};
      add(&to->total, d_total, turned);
      add(&to->absorption, d_absorption, psi);
      add(&to->fission, d_fission, psi);
      // the derivative of psi by the energy is i psi squared
      const Complex squared = times(psi, psi), slope = times(by, Complex{-squared.i, squared.r});
      atomicAdd(&to->energy.r, slope.r);
      atomicAdd(&to->energy.i, -slope.i);
    }
  }
  for (int c = 0; c < 4; c++) spend<Fresh>(d_macro[static_cast<size_t>(i) * 4 + c]);
}

template <bool Fresh>
void multipoles_by_hand(const at &a, double *, const Pole *poles, const int *momenta, const Window *windows, const double *radii,
                        const double *energies, const int *materials, const int *first, const int *nuclides,
                        const double *concentrations, int poles_each, int windows_each, int lookups, double *d_macro,
                        Pole *d_poles) {
  LAUNCH(a, (multipoles_back<Fresh>), poles, momenta, windows, radii, energies, materials, first, nuclides, concentrations,
         poles_each, windows_each, lookups, d_macro, d_poles);
}
