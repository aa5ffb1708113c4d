// The states of a loop, kept so that they can be had again from the last to the first, most of them by running the loop
// again from one that is held.
//
// Level 0 holds the last 16 states, level 1 every 16th of the last 256, and so on; the last level holds every state that
// its distance divides, and doubles the distance where there is no room. A loop of 16^n steps is run again n - 1 times.
// After A. Griewank and A. Walther, Evaluating Derivatives (2008), chapter 12 (multi-level checkpoints).
#pragma once

#include <cladpy/host_code.h>

namespace cladpy {

// A column for each number of a state.
template <int Slots, class... Numbers>
struct columns {
  __host__ __device__ void put(long) {}
  __host__ __device__ void get(long) const {}
  __host__ __device__ void move(int, int) {}
};

template <int Slots, class T, class... Numbers>
struct columns<Slots, T, Numbers...> {
  __host__ __device__ void put(long slot, T number, Numbers... others) {
    numbers[slot] = number;
    rest.put(slot, others...);
  }
  __host__ __device__ void get(long slot, T &number, Numbers &...others) const {
    number = numbers[slot];
    rest.get(slot, others...);
  }
  __host__ __device__ void move(int from, int to) {
    numbers[to] = numbers[from];
    rest.move(from, to);
  }

  T numbers[Slots];
  columns<Slots, Numbers...> rest;
};

// What is held lies in a variable of its own, which has to be in memory: its elements are chosen at run time. The
// counters, which every step looks at, can then be in registers.
template <int Levels, class... Numbers>
using checkpoint_memory = columns<16 * Levels, Numbers...>;

// Steps are numbered in a type that holds how many there are.
template <class Step, int Levels, class... Numbers>
class checkpoints {
 public:
  __host__ __device__ explicit checkpoints(checkpoint_memory<Levels, Numbers...> &held) : held_(held) {}

  // The state before a step; steps are told one after the other, from the first or from where `rewind` went to.
  __host__ __device__ void put(Step step, Numbers... state) {
    last_ = step;
    held_.put(step & 15, state...);
    for (int level = 1; level < Levels; ++level) {
      if (step & 15) return;
      step >>= 4;
      if (level < Levels - 1) held_.put(16 * level + (step & 15), state...);
    }
    if (step & ((Step(1) << thinned_) - 1)) return;
    step >>= thinned_;
    if (step == 16) {
      for (int i = 1; i < 8; ++i) held_.move(16 * (Levels - 1) + 2 * i, 16 * (Levels - 1) + i);
      ++thinned_;
      step = 8;
    }
    held_.put(16 * (Levels - 1) + step, state...);
  }

  // Gives the last state that is held up to a step, none of which is later than the last that was told, and says of
  // which step it is.
  __host__ __device__ Step rewind(Step step, Numbers &...state) {
    if (step >> 4 == last_ >> 4) {
      held_.get(step & 15, state...);
      return step;
    }
    for (int level = 1; level < Levels - 1; ++level) {
      if (step >> (4 * level + 4) == last_ >> (4 * level + 4)) {
        const Step held = step >> (4 * level);
        held_.get(16 * level + (held & 15), state...);
        put(held << (4 * level), state...);
        return held << (4 * level);
      }
    }
    const int distance = 4 * (Levels - 1) + thinned_;
    held_.get(16 * (Levels - 1) + (step >> distance), state...);
    put(step >> distance << distance, state...);
    return step >> distance << distance;
  }

 private:
  checkpoint_memory<Levels, Numbers...> &held_;
  Step last_ = -1;
  int thinned_ = 0;
};

}  // namespace cladpy
