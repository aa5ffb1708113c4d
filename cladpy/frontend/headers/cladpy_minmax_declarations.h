// min and max, which nvcc has in host code as in kernels; CLADPY_SIDES says where these are.
#define CLADPY_MINMAX(name)                                                                                            \
  CLADPY_SIDES int name(int, int) noexcept;                                                                            \
  CLADPY_SIDES unsigned int name(unsigned int, unsigned int) noexcept;                                                 \
  CLADPY_SIDES unsigned int name(int, unsigned int) noexcept;                                                          \
  CLADPY_SIDES unsigned int name(unsigned int, int) noexcept;                                                          \
  CLADPY_SIDES long name(long, long) noexcept;                                                                         \
  CLADPY_SIDES unsigned long name(unsigned long, unsigned long) noexcept;                                              \
  CLADPY_SIDES unsigned long name(long, unsigned long) noexcept;                                                       \
  CLADPY_SIDES unsigned long name(unsigned long, long) noexcept;                                                       \
  CLADPY_SIDES long long name(long long, long long) noexcept;                                                          \
  CLADPY_SIDES unsigned long long name(unsigned long long, unsigned long long) noexcept;                               \
  CLADPY_SIDES unsigned long long name(long long, unsigned long long) noexcept;                                        \
  CLADPY_SIDES unsigned long long name(unsigned long long, long long) noexcept;                                        \
  CLADPY_SIDES float name(float, float) noexcept;                                                                      \
  CLADPY_SIDES double name(double, double) noexcept;                                                                   \
  CLADPY_SIDES double name(float, double) noexcept;                                                                    \
  CLADPY_SIDES double name(double, float) noexcept;
CLADPY_MINMAX(min)
CLADPY_MINMAX(max)
#undef CLADPY_MINMAX
extern "C" CLADPY_SIDES unsigned int umin(unsigned int, unsigned int) noexcept;
extern "C" CLADPY_SIDES unsigned int umax(unsigned int, unsigned int) noexcept;
extern "C" CLADPY_SIDES long long llmin(long long, long long) noexcept;
extern "C" CLADPY_SIDES long long llmax(long long, long long) noexcept;
extern "C" CLADPY_SIDES unsigned long long ullmin(unsigned long long, unsigned long long) noexcept;
extern "C" CLADPY_SIDES unsigned long long ullmax(unsigned long long, unsigned long long) noexcept;
