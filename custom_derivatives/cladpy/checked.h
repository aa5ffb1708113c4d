// What a program that is compiled with the macro CLADPY_CHECKED has its gradients look at before they run: whether each
// adjoint is there, and has memory of its own. Without the macro nothing is.
#pragma once

#ifndef CLADPY_CHECKED

#define CLADPY_CHECK_LAUNCH(...)
#define CLADPY_CHECK_CALL(...)

#else

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include <cladpy/program.h>

// What follows the name of the gradient: how many pointers are the original's, and how many with the adjoints that have
// to be there; then all of them, in this order, those that may be null at the end.
#define CLADPY_CHECK_LAUNCH(name, primals, needed, ...) \
  if (cladpy::refuses_pointers(name, primals, needed, #__VA_ARGS__, __VA_ARGS__)) return CLADPY_RUNTIME(ErrorInvalidValue)
#define CLADPY_CHECK_CALL(name, primals, needed, ...) \
  if (cladpy::refuses_pointers(name, primals, needed, #__VA_ARGS__, __VA_ARGS__)) throw cladpy::program_error(cladpy::last_refusal())

namespace cladpy {

// Where something lies of which only the first object is known to be there.
struct checked_pointer {
  std::uintptr_t first, last;

  // Not of each pointer it is known what it points to: handles point to incomplete types.
  template <class T>
  checked_pointer(T *p) : first(reinterpret_cast<std::uintptr_t>(p)), last(first + size<T>(nullptr)) {}

  bool meets(const checked_pointer &other) const { return first && other.first && first < other.last && other.first < last; }

 private:
  template <class T, class = typename std::enable_if<std::is_object<T>::value>::type, std::size_t bytes = sizeof(T)>
  static constexpr std::size_t size(std::nullptr_t) { return bytes; }
  template <class T>
  static constexpr std::size_t size(const void *) { return 1; }
};

// Why the last call of this thread's was refused: names of the runtime's errors do not say.
inline char *last_refusal_buffer() {
  static thread_local char text[512] = "";
  return text;
}
inline const char *last_refusal() { return last_refusal_buffer(); }

// The name at a position of a list.
struct checked_name {
  const char *begin;
  int length;

  checked_name(const char *names, unsigned position) : begin(names), length(0) {
    for (; position; --position) begin = std::strchr(begin, ',') + 1;
    begin += std::strspn(begin, " &");
    length = static_cast<int>(std::strcspn(begin, ", "));
  }
  bool is_adjoint_of(const checked_name &other) const {
    return length == other.length + 3 && !std::strncmp(begin, "_d_", 3) && !std::strncmp(begin + 3, other.begin, static_cast<std::size_t>(other.length));
  }
};

template <class... P>
bool refuses_pointers(const char *gradient, unsigned primals, unsigned needed, const char *names, P *...pointers) {
  const checked_pointer at[] = {pointers...};
  char *const text = last_refusal_buffer();
  const std::size_t room = 512;
  text[0] = 0;
  for (unsigned k = primals; k < sizeof...(P) && !text[0]; ++k) {
    const checked_name own(names, k);
    bool empty = false;  // an array without elements, of which there is no adjoint
    for (unsigned j = 0; j < k && !text[0]; ++j) {
      const checked_name other(names, j);
      if (j < primals && !at[j].first && own.is_adjoint_of(other)) empty = true;
      if (at[j].meets(at[k]))
        std::snprintf(text, room, "%s: %.*s and %.*s share memory; an adjoint needs its own", gradient, other.length, other.begin, own.length, own.begin);
    }
    if (!text[0] && !at[k].first && k < needed && !empty)
      std::snprintf(text, room, "%s: %.*s is null; the gradient adds to it", gradient, own.length, own.begin);
  }
#ifdef CLADPY_HOST_H
  if (text[0]) host::keep_error(cudaErrorInvalidValue, "%s", text);
#endif
  return text[0] != 0;
}

} // namespace cladpy

#endif
