// Gaussians in space, projected into the picture of a camera and blended from front to back, in the style of 3D Gaussian
// splatting. Nothing here knows of derivatives. `misfit` is what a program calls: it renders, and compares with a photo.
#ifndef REAL
#define REAL float
#endif

constexpr int TILE = 16;  // pixels along a side of a block

struct Vector {
    REAL x, y, z;
};

// What the blending needs of a Gaussian: where it is in the picture, the inverse of its covariance there, how far it reaches.
struct Splat {
    REAL x, y, a, b, c, opacity, depth, reach;
};

// A thread for each Gaussian. `view` is the upper three rows of the matrix that takes the world to the camera.
__global__ void project(int n, const Vector *centre, const Vector *scale, const REAL *turn, const REAL *opacity,
                        const REAL *view, REAL focal, int size, Splat *splats) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Vector p = centre[i], s = scale[i];
    REAL x = view[0] * p.x + view[1] * p.y + view[2] * p.z + view[3];
    REAL y = view[4] * p.x + view[5] * p.y + view[6] * p.z + view[7];
    REAL z = view[8] * p.x + view[9] * p.y + view[10] * p.z + view[11];
    Splat splat = {0, 0, 0, 0, 0, 0, z, 0};
    if (z > REAL(0.2)) {
        // The Gaussian's axes, as columns: a rotation by the quaternion, times the scales.
        REAL r = turn[4 * i], qx = turn[4 * i + 1], qy = turn[4 * i + 2], qz = turn[4 * i + 3];
        REAL norm = rsqrt(r * r + qx * qx + qy * qy + qz * qz);
        r *= norm, qx *= norm, qy *= norm, qz *= norm;
        REAL axes[3][3] = {
            {(1 - 2 * (qy * qy + qz * qz)) * s.x, 2 * (qx * qy - r * qz) * s.y, 2 * (qx * qz + r * qy) * s.z},
            {2 * (qx * qy + r * qz) * s.x, (1 - 2 * (qx * qx + qz * qz)) * s.y, 2 * (qy * qz - r * qx) * s.z},
            {2 * (qx * qz - r * qy) * s.x, 2 * (qy * qz + r * qx) * s.y, (1 - 2 * (qx * qx + qy * qy)) * s.z}};
        // The covariance in the picture, by the derivative of the projection at the centre.
        REAL xx = REAL(0.3), xy = 0, yy = REAL(0.3);
        for (int k = 0; k < 3; ++k) {
            REAL u = view[0] * axes[0][k] + view[1] * axes[1][k] + view[2] * axes[2][k];
            REAL v = view[4] * axes[0][k] + view[5] * axes[1][k] + view[6] * axes[2][k];
            REAL w = view[8] * axes[0][k] + view[9] * axes[1][k] + view[10] * axes[2][k];
            REAL px = focal / z * (u - x / z * w), py = focal / z * (v - y / z * w);
            xx += px * px, xy += px * py, yy += py * py;
        }
        REAL determinant = xx * yy - xy * xy;
        splat.x = focal * x / z + REAL(0.5) * size;
        splat.y = focal * y / z + REAL(0.5) * size;
        splat.a = yy / determinant, splat.b = -xy / determinant, splat.c = xx / determinant;
        splat.opacity = opacity[i];
        splat.reach = 3 * sqrt(xx > yy ? xx : yy) + 2;
    }
    splats[i] = splat;
}

// The order from front to back: as many Gaussians as are nearer stand before it.
__global__ void sort(int n, const Splat *splats, int *order) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int before = 0;
    for (int k = 0; k < n; ++k)
        before += splats[k].depth < splats[i].depth || (splats[k].depth == splats[i].depth && k < i);
    order[before] = i;
}

// A thread for each pixel. A block takes the Gaussians together into shared memory, so many at a time, until all its
// pixels are covered.
__global__ void blend(int n, const int *order, const Splat *splats, const Vector *colour, int size, Vector *image) {
    __shared__ Splat near[TILE * TILE];
    __shared__ Vector paint[TILE * TILE];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    int lane = threadIdx.y * TILE + threadIdx.x;
    bool inside = column < size && row < size, done = !inside;
    REAL left = 1, red = 0, green = 0, blue = 0;
    for (int first = 0; first < n; first += TILE * TILE) {
        if (__syncthreads_count(done) == TILE * TILE) break;
        if (first + lane < n) {
            near[lane] = splats[order[first + lane]];
            paint[lane] = colour[order[first + lane]];
        }
        __syncthreads();
        int count = n - first < TILE * TILE ? n - first : TILE * TILE;
        for (int k = 0; !done && k < count; ++k) {
            Splat s = near[k];
            REAL dx = s.x - column, dy = s.y - row;
            if (fabs(dx) > s.reach || fabs(dy) > s.reach) continue;
            REAL alpha = s.opacity * exp(REAL(-0.5) * (s.a * dx * dx + s.c * dy * dy) - s.b * dx * dy);
            if (alpha < REAL(1) / 255) continue;
            if (alpha > REAL(0.99)) alpha = REAL(0.99);
            red += left * alpha * paint[k].x;
            green += left * alpha * paint[k].y;
            blue += left * alpha * paint[k].z;
            left *= 1 - alpha;
            done = left < REAL(1e-4);
        }
    }
    if (inside) image[row * size + column] = {red, green, blue};
}

// The mean squared difference to the photo, of size * size pixels.
double misfit(int n, const Vector *centre, const Vector *scale, const REAL *turn, const REAL *opacity,
              const Vector *colour, const REAL *view, REAL focal, int size, const Vector *photo, Vector *image) {
    Splat *splats;
    int *order;
    cudaMalloc(&splats, n * sizeof(Splat));
    cudaMalloc(&order, n * sizeof(int));
    project<<<(n + 255) / 256, 256>>>(n, centre, scale, turn, opacity, view, focal, size, splats);
    sort<<<(n + 255) / 256, 256>>>(n, splats, order);
    dim3 tiles((size + TILE - 1) / TILE, (size + TILE - 1) / TILE);
    blend<<<tiles, dim3(TILE, TILE)>>>(n, order, splats, colour, size, image);
    Vector *seen = new Vector[size * size];
    cudaMemcpy(seen, image, size * size * sizeof(Vector), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < size * size; ++i) {
        Vector d = {seen[i].x - photo[i].x, seen[i].y - photo[i].y, seen[i].z - photo[i].z};
        sum += d.x * d.x + d.y * d.y + d.z * d.z;
    }
    delete[] seen;
    cudaFree(order);
    cudaFree(splats);
    return sum / (3 * size * size);
}
