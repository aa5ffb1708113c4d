// Macroscopic cross sections of neutrons at random energies in random materials: for each nuclide of a material a binary search,
// and five channels interpolated between two points of its table.
struct Point {
  double energy, total, elastic, absorption, fission, production;
};

__global__ void cross_sections(double *macro, const Point *tables, const double *energies, const int *materials,
                               const int *first, const int *nuclides, const double *concentrations, int points,
                               int lookups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lookups) return;
  const double energy = energies[i];
  const int material = materials[i];
  double sum[5];
  for (int c = 0; c < 5; c++) sum[c] = 0.0;
  for (int k = first[material]; k < first[material + 1]; k++) {
    const Point *table = tables + (size_t)nuclides[k] * points;
    int low = 0, high = points - 1;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (table[middle].energy > energy)
        high = middle;
      else
        low = middle;
    }
    const Point *below = table + low, *above = table + low + 1;
    const double f = (above->energy - energy) / (above->energy - below->energy);
    const double concentration = concentrations[k];
    sum[0] += concentration * (above->total - f * (above->total - below->total));
    sum[1] += concentration * (above->elastic - f * (above->elastic - below->elastic));
    sum[2] += concentration * (above->absorption - f * (above->absorption - below->absorption));
    sum[3] += concentration * (above->fission - f * (above->fission - below->fission));
    sum[4] += concentration * (above->production - f * (above->production - below->production));
  }
  for (int c = 0; c < 5; c++) macro[(size_t)i * 5 + c] = sum[c];
}
