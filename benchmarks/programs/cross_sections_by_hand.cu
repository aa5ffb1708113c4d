struct Point {
  double energy, values[5];
};

template <bool Fresh>
__global__ void cross_sections_back(const Point *tables, const double *energies, const int *materials,
                                    const int *first, const int *nuclides, const double *concentrations, int points,
                                    int lookups, double *d_macro, Point *d_tables) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= lookups) return;
  const double energy = energies[i];
  const int material = materials[i];
  double d[5];
  for (int c = 0; c < 5; c++) d[c] = d_macro[static_cast<size_t>(i) * 5 + c];
  for (int k = first[material]; k < first[material + 1]; k++) {
    const size_t start = static_cast<size_t>(nuclides[k]) * points;
    const Point *table = tables + start;
    int low = 0, high = points - 1;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (table[middle].energy > energy)
        high = middle;
      else
        low = middle;
    }
    const Point below = table[low], above = table[low + 1];
    const double width = 1.0 / (above.energy - below.energy), f = (above.energy - energy) * width;
    const double concentration = concentrations[k];
    Point *d_below = d_tables + start + low, *d_above = d_below + 1;
    double d_f = 0.0;
#pragma unroll
    for (int c = 0; c < 5; c++) {
      const double one = concentration * d[c];
      if (one == 0.0) continue;  // a channel that nobody asked for
      atomicAdd(&d_above->values[c], one * (1.0 - f));
      atomicAdd(&d_below->values[c], one * f);
      d_f -= one * (above.values[c] - below.values[c]);
    }
    if (d_f == 0.0) continue;
    atomicAdd(&d_above->energy, d_f * (1.0 - f) * width);
    atomicAdd(&d_below->energy, d_f * f * width);
  }
  for (int c = 0; c < 5; c++) spend<Fresh>(d_macro[static_cast<size_t>(i) * 5 + c]);
}

template <bool Fresh>
void cross_sections_by_hand(const at &a, double *, const Point *tables, const double *energies, const int *materials,
                            const int *first, const int *nuclides, const double *concentrations, int points,
                            int lookups, double *d_macro, Point *d_tables) {
  LAUNCH(a, (cross_sections_back<Fresh>), tables, energies, materials, first, nuclides, concentrations, points,
         lookups, d_macro, d_tables);
}
