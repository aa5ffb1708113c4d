// Pictures of a cloud that glows and absorbs, by rays that march through a grid of densities until nothing comes through any
// more. Nothing here knows of derivatives.
struct Ray {
    float x, y, z, dx, dy, dz;  // where it enters the unit cube, and its step
};

// Between the eight points of the grid around a place.
__device__ float density(const float *grid, int n, float x, float y, float z) {
    float fx = x * (n - 1), fy = y * (n - 1), fz = z * (n - 1);
    if (!(fx >= 0 && fy >= 0 && fz >= 0 && fx < n - 1 && fy < n - 1 && fz < n - 1)) return 0;
    int i = (int)fx, j = (int)fy, k = (int)fz;
    fx -= i, fy -= j, fz -= k;
    float sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
        float weight = (a ? fx : 1 - fx) * (b ? fy : 1 - fy) * (c ? fz : 1 - fz);
        sum += weight * grid[((k + c) * n + j + b) * n + i + a];
    }
    return sum;
}

// A thread for each ray. What it sees is the light that comes through, of a cloud that is brighter where it is denser.
__global__ void march(int rays, const Ray *ray, int steps, float length, const float *grid, int n, float *image) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rays) return;
    Ray r = ray[i];
    float through = 1, light = 0;
    for (int step = 0; step < steps && through > 0.01f; ++step) {
        float here = density(grid, n, r.x + step * r.dx, r.y + step * r.dy, r.z + step * r.dz);
        float kept = expf(-here * length);
        light += through * (1 - kept) * (0.4f + 0.6f * here / (here + 4));
        through *= kept;
    }
    image[i] = light;
}
