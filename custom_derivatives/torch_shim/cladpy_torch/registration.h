// What tells PyTorch of functions says nothing here.
#ifndef CLADPY_TORCH_REGISTRATION_H
#define CLADPY_TORCH_REGISTRATION_H

#define CLADPY_TORCH_JOINED_(a, b) a##b
#define CLADPY_TORCH_JOINED(a, b) CLADPY_TORCH_JOINED_(a, b)

namespace cladpy_torch {
// Takes all that a module or a library is given.
struct Registry {
  template <class... T> Registry &def(const T &...) { return *this; }
  template <class... T> Registry &impl(const T &...) { return *this; }
  const char *&doc();
};
struct Named {
  template <class T> Named(const char *, T = T()) {}
  Named(const char *) {}
  template <class T> Named operator=(const T &) const { return *this; }
};
}  // namespace cladpy_torch

namespace pybind11 {
using arg = ::cladpy_torch::Named;
using module_ = ::cladpy_torch::Registry;
using module = ::cladpy_torch::Registry;
struct gil_scoped_release {};
template <class T> struct call_guard {};
}  // namespace pybind11
namespace py = pybind11;
namespace torch {
using Library = ::cladpy_torch::Registry;
template <class... T> int dispatch(const T &...);
}

#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME cladpy_torch_extension
#endif
#define PYBIND11_MODULE(name, variable)                                                                                \
  [[maybe_unused]] static void CLADPY_TORCH_JOINED(cladpy_torch_module_, __LINE__)(::cladpy_torch::Registry & variable)
#define TORCH_LIBRARY(name, variable) PYBIND11_MODULE(name, variable)
#define TORCH_LIBRARY_FRAGMENT(name, variable) PYBIND11_MODULE(name, variable)
#define TORCH_LIBRARY_IMPL(name, key, variable) PYBIND11_MODULE(name, variable)
#define STABLE_TORCH_LIBRARY(name, variable) PYBIND11_MODULE(name, variable)
#define STABLE_TORCH_LIBRARY_IMPL(name, key, variable) PYBIND11_MODULE(name, variable)
#define TORCH_FN(function) &function
#define TORCH_BOX(function) function
#define REGISTER_EXTENSION(name)

#endif  // CLADPY_TORCH_REGISTRATION_H
