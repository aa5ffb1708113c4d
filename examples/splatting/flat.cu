// A picture as a sum of soft, coloured ellipses in the plane. Nothing here knows of derivatives.
struct Ellipse {
    float x, y;           // its centre, in pixels
    float wide, high;     // logarithms of its axes
    float turn;           // in radians
    float red, green, blue;
};

// A thread for each pixel.
__global__ void paint(int n, const Ellipse *ellipses, int size, float *image) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= size || row >= size) return;
    float red = 0, green = 0, blue = 0;
    for (int k = 0; k < n; ++k) {
        Ellipse e = ellipses[k];
        float dx = column - e.x, dy = row - e.y, c = cosf(e.turn), s = sinf(e.turn);
        float along = (c * dx + s * dy) * expf(-e.wide), across = (c * dy - s * dx) * expf(-e.high);
        float weight = expf(-0.5f * (along * along + across * across));
        red += weight * e.red;
        green += weight * e.green;
        blue += weight * e.blue;
    }
    float *pixel = image + 3 * (row * size + column);
    pixel[0] = red;
    pixel[1] = green;
    pixel[2] = blue;
}
