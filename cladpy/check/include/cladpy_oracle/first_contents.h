// What a variable at namespace scope holds before the first run, which every later run begins with.
#ifndef CLADPY_ORACLE_FIRST_CONTENTS_H
#define CLADPY_ORACLE_FIRST_CONTENTS_H

#include <cstddef>
#include <cstring>

namespace cladpy_oracle {

template <std::size_t bytes> class first_contents {
 public:
  void keep_or_restore(void *place) {
    if (kept_) {
      std::memcpy(place, contents_, bytes);
    } else {
      std::memcpy(contents_, place, bytes);
      kept_ = true;
    }
  }
  bool differ(const void *place) const { return std::memcmp(place, contents_, bytes) != 0; }

 private:
  unsigned char contents_[bytes];
  bool kept_ = false;
};

}  // namespace cladpy_oracle

#endif
