// What the split forms of gradients have in common: forward once, then reverse once.
#pragma once

#include <cstring>
#include <stdexcept>

namespace cladpy {

class tape {
 public:
  tape() = default;
  tape(const tape &) = delete;
  tape &operator=(const tape &) = delete;

 protected:
  // A half that fails leaves nothing to go on from.
  void begin_forward() {
    if (_stage != 0) throw std::logic_error("forward() has been called: a tape is used once");
    _stage = 3;
  }
  void end_forward() { _stage = 1; }
  void begin_reverse() {
    if (_stage == 0) throw std::logic_error("reverse() is called before forward()");
    if (_stage != 1) throw std::logic_error("reverse() has been called: a tape is used once");
    _stage = 3;
  }

 private:
  int _stage = 0;
};

}  // namespace cladpy
