// The launches of a gradient with a transposed loop: a thread, or a warp, for each iteration.
#ifndef CLADPY_COLUMNS_H
#define CLADPY_COLUMNS_H

namespace cladpy {

struct columns_launch {
  bool pays = false;  // otherwise the gradient is launched as it is
  dim3 columns;       // the grid for iterations; of as many segments of the threads
  dim3 rest;          // the grid for the rest
  unsigned segments = 1;
  unsigned lanes = 1;  // for each thread in the rest

  // For a loop that is run `count` times by each thread of a launch. `wide` lanes have an iteration, and a warp may have
  // a thread where that is `shared`.
  columns_launch(dim3 grid, dim3 block, long count, unsigned wide, bool shared) {
    const unsigned long long threads = 1ULL * grid.x * block.x, turns = count > 0 ? static_cast<unsigned long long>(count) : 0;
    const bool line = grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1;
    if (!line || threads < 32 || turns < 32 || threads * turns < 1024 || threads > most_threads || turns > most_turns) return;
    pays = !(shared && by_rows(grid, block, turns));
    const unsigned long long each = turns * wide, pieces = threads / (8 * wide);
    if (each < filling) segments = piece((filling + each - 1) / each, pieces);
    if (shared && threads <= few) lanes = 32;
    columns = dim3(blocks(each), segments);
    rest = dim3(blocks(threads * lanes));
  }

  static constexpr unsigned size = 256;  // threads of a block

 private:
  static constexpr unsigned long long most_threads = 1 << 29, most_turns = 1 << 26, filling = 1ULL << 18, few = 1ULL << 16;

  // Over workers a thread's iterations add to sums of the worker's, several iterations at a time (`row_of_sums`): where it is
  // not the threads that go along memory, that is half of the work.
#if defined(CLADPY_HOST_H) && !defined(CLADPY_HOST_FIBERS)
  static bool by_rows(dim3 grid, dim3 block, unsigned long long turns) {
    const unsigned pieces = grid.x < host::most_pieces ? grid.x : host::most_pieces;
    return turns <= host::Sums::most / 8 && 1ULL * (grid.x / pieces) * block.x >= host::threads_of_row;
  }
#else
  static bool by_rows(dim3, dim3, unsigned long long) { return false; }
#endif

  static unsigned blocks(unsigned long long threads) { return static_cast<unsigned>((threads + size - 1) / size); }
  static unsigned piece(unsigned long long wanted, unsigned long long possible) {
    if (wanted > possible) wanted = possible;
    return static_cast<unsigned>(wanted < 1 ? 1 : wanted > 65535 ? 65535 : wanted);
  }
};

} // namespace cladpy

#endif
