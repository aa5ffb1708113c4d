// Atomic loads and stores as nvcc has them since CUDA 12.8, and what says how they are ordered, and for whom.
// CLADPY_ATOMIC_ACCESS is what stands before a function.
#ifndef CLADPY_ATOMIC_ACCESSES_H
#define CLADPY_ATOMIC_ACCESSES_H

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

template <class T>
CLADPY_ATOMIC_ACCESS T __nv_atomic_load_n(const T *address, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  T value;
  __atomic_load(address, &value, __ATOMIC_RELAXED);
  return value;
}
template <class T, class V>
CLADPY_ATOMIC_ACCESS void __nv_atomic_store_n(T *address, V value, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  T stored = static_cast<T>(value);
  __atomic_store(address, &stored, __ATOMIC_RELAXED);
}

#undef CLADPY_ATOMIC_ACCESS
#endif
