// What bindings say of Python, which nothing here runs.
#ifndef CLADPY_TORCH_PYTHON_H
#define CLADPY_TORCH_PYTHON_H

#include <cstddef>
#include <cstdint>

typedef std::ptrdiff_t Py_ssize_t;
struct PyObject;
struct PyMethodDef;
struct PyModuleDef_Base {};
struct PyModuleDef {
  PyModuleDef_Base base;
  const char *name, *doc;
  Py_ssize_t size;
  PyMethodDef *methods;
};
#define PyModuleDef_HEAD_INIT                                                                                          \
  {}
#define PyMODINIT_FUNC extern "C" PyObject *
inline PyObject *PyModule_Create(PyModuleDef *) { return nullptr; }

#endif  // CLADPY_TORCH_PYTHON_H
