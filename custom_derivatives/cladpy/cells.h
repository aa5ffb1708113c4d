// The launch of a kernel that gathers adjoints, with a thread for each cell rather than for each thread of the original.
#ifndef CLADPY_CELLS_H
#define CLADPY_CELLS_H

namespace cladpy {

// The blocks that cover the threads of a launch and so many more along an axis.
inline unsigned long long blocks_for_cells(unsigned blocks, unsigned threads, unsigned beyond) {
  return beyond ? (1ULL * blocks * threads + beyond + threads - 1) / threads : blocks;
}

// The grid that covers the threads of a launch and so many more along each axis; false if that is no grid, or cells have
// larger numbers than an int.
inline bool grid_of_cells(dim3 grid, dim3 block, unsigned x, unsigned y, unsigned z, dim3 *cells) {
  const unsigned long long along[3] = {blocks_for_cells(grid.x, block.x, x), blocks_for_cells(grid.y, block.y, y),
                                       blocks_for_cells(grid.z, block.z, z)};
  const unsigned size[3] = {block.x, block.y, block.z}, most[3] = {0x7fffffff, 65535, 65535};
  for (int k = 0; k < 3; ++k)
    if (along[k] > most[k] || along[k] * size[k] > 0x7fffffff) return false;
  *cells = dim3(static_cast<unsigned>(along[0]), static_cast<unsigned>(along[1]), static_cast<unsigned>(along[2]));
  return true;
}

} // namespace cladpy

#endif
