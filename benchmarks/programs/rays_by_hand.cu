// What lies behind a sample is the whole colour without what lies before it: two passes forward, and nothing is kept.
template <bool Fresh>
__global__ void render_back(const float4 *samples, const float *steps, int count, int rays, float *d_colour,
                            float4 *d_samples, float *d_steps) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= rays) return;
  const float step = steps[i];
  const float red = d_colour[3 * i], green = d_colour[3 * i + 1],
              blue = d_colour[3 * i + 2];
  float whole = 0.0f, light = 1.0f;
  for (int k = 0; k < count && light >= 1e-4f; k++) {
    const float4 sample = samples[static_cast<size_t>(k) * rays + i];
    const float through = expf(-sample.w * step);
    whole += light * (1.0f - through) * (red * sample.x + green * sample.y + blue * sample.z);
    light *= through;
  }
  float before = 0.0f, d_step = 0.0f;
  light = 1.0f;
  for (int k = 0; k < count && light >= 1e-4f; k++) {
    const size_t at = static_cast<size_t>(k) * rays + i;
    const float4 sample = samples[at];
    const float through = expf(-sample.w * step), weight = light * (1.0f - through);
    const float value = red * sample.x + green * sample.y + blue * sample.z;
    before += weight * value;
    light *= through;
    const float d_depth = light * value - (whole - before);
    d_step += d_depth * sample.w;
    const float4 old = Fresh ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : d_samples[at];
    d_samples[at] = make_float4(old.x + weight * red, old.y + weight * green, old.z + weight * blue,
                                old.w + d_depth * step);
  }
  give<Fresh>(d_steps[i], d_step);
  for (int c = 0; c < 3; c++) spend<Fresh>(d_colour[3 * i + c]);
}

template <bool Fresh>
void render_by_hand(const at &a, float *, const float4 *samples, const float *steps, int count, int rays,
                    float *d_colour, float4 *d_samples, float *d_steps) {
  LAUNCH(a, (render_back<Fresh>), samples, steps, count, rays, d_colour, d_samples, d_steps);
}
