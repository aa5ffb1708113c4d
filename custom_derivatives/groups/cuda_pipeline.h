// See <cuda_pipeline_primitives.h> and <cuda/pipeline>.
#include <cuda_pipeline_primitives.h>
#include <cuda/pipeline>
