// The energy of atoms that attract and repel each other, after Lennard and Jones. Nothing here knows of derivatives.
struct Atom {
    double x, y, z;
    __device__ double apart(const Atom &other) const {  // squared
        double a = x - other.x, b = y - other.y, c = z - other.z;
        return a * a + b * b + c * c;
    }
};

struct Gas {
    double depth, radius;
    __device__ double energy(double squared) const {
        double ratio = radius * radius / squared, sixth = ratio * ratio * ratio;
        return 4 * depth * (sixth * sixth - sixth);
    }
};

// A thread for each atom, which looks at those before it.
__global__ void energy(int n, const Atom *atoms, Gas gas, double *total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int k = 0; k < i; ++k) sum += gas.energy(atoms[i].apart(atoms[k]));
    atomicAdd(total, sum);
}
