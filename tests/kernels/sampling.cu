// Kernels in the manner of extensions of machine learning libraries: images sampled where other data says.
// Deformable convolution: sampling at learnt offsets, with a mask, zero outside of the image.
template <typename scalar_t>
__device__ __forceinline__ scalar_t bilinear(const scalar_t *image, int height, int width, scalar_t y, scalar_t x) {
  if (y <= -1 || height <= y || x <= -1 || width <= x) return 0;
  const int y0 = floor(y), x0 = floor(x), y1 = y0 + 1, x1 = x0 + 1;
  const scalar_t ly = y - y0, lx = x - x0, hy = 1 - ly, hx = 1 - lx;
  scalar_t v00 = 0, v01 = 0, v10 = 0, v11 = 0;
  if (y0 >= 0 && x0 >= 0) v00 = image[y0 * width + x0];
  if (y0 >= 0 && x1 <= width - 1) v01 = image[y0 * width + x1];
  if (y1 <= height - 1 && x0 >= 0) v10 = image[y1 * width + x0];
  if (y1 <= height - 1 && x1 <= width - 1) v11 = image[y1 * width + x1];
  return hy * hx * v00 + hy * lx * v01 + ly * hx * v10 + ly * lx * v11;
}
template <typename T, typename Index = int>
__global__ void deformable_im2col(Index n, const T *im, const T *offset, const T *mask, T *columns, Index height, Index width,
                                  Index channels, int kernel, int pad, int stride, int dilation, Index out_h, Index out_w) {
  for (Index index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {
    const Index out_x = index % out_w, out_y = index / out_w % out_h, channel = index / out_w / out_h;
    const T *plane = im + channel * height * width;
    const T *at = offset + out_y * out_w + out_x;
    T *column = columns + channel * kernel * kernel * out_h * out_w + out_y * out_w + out_x;
    for (int i = 0; i < kernel; ++i)
      for (int j = 0; j < kernel; ++j) {
        const int tap = i * kernel + j;
        const T dy = at[2 * tap * out_h * out_w], dx = at[(2 * tap + 1) * out_h * out_w];
        const T m = mask ? mask[(tap * out_h + out_y) * out_w + out_x] : T(1);
        *column = m * bilinear(plane, height, width, out_y * stride - pad + i * dilation + dy, out_x * stride - pad + j * dilation + dx);
        column += out_h * out_w;
      }
  }
}

// Region of interest pooling with an adaptive number of samples.
__global__ void roi_align(const double *features, const double *rois, double *pooled, double scale, int sampling, int channels,
                          int height, int width, int ph, int pw, int total) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= total) return;
  const int px = index % pw, py = (index / pw) % ph, c = (index / pw / ph) % channels, r = index / pw / ph / channels;
  const double *roi = rois + 4 * r;
  const double x1 = roi[0] * scale - 0.5, y1 = roi[1] * scale - 0.5, x2 = roi[2] * scale - 0.5, y2 = roi[3] * scale - 0.5;
  const double bin_h = (y2 - y1) / ph, bin_w = (x2 - x1) / pw;
  const int grid_h = sampling > 0 ? sampling : static_cast<int>(ceil((y2 - y1) / ph));
  const int grid_w = sampling > 0 ? sampling : static_cast<int>(ceil((x2 - x1) / pw));
  const double count = max(grid_h * grid_w, 1);
  double sum = 0.;
  const double *image = &features[c * height * width];
  for (int iy = 0; iy < grid_h; iy++) {
    const double y = y1 + py * bin_h + (iy + .5) * bin_h / grid_h;
    for (int ix = 0; ix < grid_w; ix++) {
      const double x = x1 + px * bin_w + (ix + .5) * bin_w / grid_w;
      if (y < -1.0 || y > height || x < -1.0 || x > width) continue;
      double yy = y <= 0 ? 0 : y, xx = x <= 0 ? 0 : x;
      int yl = (int)yy, xl = (int)xx, yh, xh;
      if (yl >= height - 1)
        yh = yl = height - 1, yy = yl;
      else
        yh = yl + 1;
      if (xl >= width - 1)
        xh = xl = width - 1, xx = xl;
      else
        xh = xl + 1;
      const double ly = yy - yl, lx = xx - xl, hy = 1. - ly, hx = 1. - lx;
      sum += hy * hx * image[yl * width + xl] + hy * lx * image[yl * width + xh] + ly * hx * image[yh * width + xl] +
             ly * lx * image[yh * width + xh];
    }
  }
  pooled[index] = sum / count;
}

enum class Padding { zeros, border, reflection };
__device__ double reflect(double x, double low, double high) {
  const double span = high - low;
  x = fabs(x - low);
  const double extra = fmod(x, span);
  const int flips = (int)floor(x / span);
  return flips % 2 == 0 ? extra + low : span - extra + low;
}
template <Padding padding>
__device__ double source_index(double coordinate, int size) {
  double x = ((coordinate + 1) * size - 1) / 2;
  switch (padding) {
    case Padding::border: return fmin(size - 1.0, fmax(x, 0.0));
    case Padding::reflection: x = reflect(x, -0.5, size - 0.5); return fmin(size - 1.0, fmax(x, 0.0));
    case Padding::zeros: break;
  }
  return x;
}
__device__ double cubic(const double (&p)[4], double t) {
  constexpr double A = -0.75;
  auto near = [](double x) { return ((A + 2) * x - (A + 3)) * x * x + 1; };
  auto far = [A](double x) { return ((A * x - 5 * A) * x + 8 * A) * x - 4 * A; };
  return p[0] * far(t + 1) + p[1] * near(t) + p[2] * near(1 - t) + p[3] * far(2 - t);
}
template <Padding padding>
__global__ void grid_sample(const double *input, const double2 *grid, double *output, int h, int w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = source_index<padding>(grid[i].x, w), y = source_index<padding>(grid[i].y, h);
  const int x0 = (int)floor(x), y0 = (int)floor(y);
  double rows[4];
  for (int r = 0; r < 4; ++r) {
    double taps[4];
    for (int c = 0; c < 4; ++c) {
      int yy = y0 - 1 + r, xx = x0 - 1 + c;
      if constexpr (padding != Padding::zeros) {
        yy = min(max(yy, 0), h - 1);
        xx = min(max(xx, 0), w - 1);
      }
      taps[c] = yy >= 0 && yy < h && xx >= 0 && xx < w ? input[yy * w + xx] : 0.0;
    }
    rows[r] = cubic(taps, x - x0);
  }
  output[i] = cubic(rows, y - y0);
}
