// What stands for inline PTX where a program is read, and on the host: which lane of its warp a thread is, and masks.
// clang-format off
#define CLADPY_LANE ((unsigned int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u))
#define CLADPY_LT ((1u << CLADPY_LANE) - 1u)
#define CLADPY_LE ((2u << CLADPY_LANE) - 1u)
#define CLADPY_GT (~CLADPY_LE)
#define CLADPY_GE (~CLADPY_LT)
#define CLADPY_EQ (1u << CLADPY_LANE)
// clang-format on
