// Colours of rays through a volume: samples from front to back, until hardly any light comes through.
__global__ void render(float *colour, const float4 *samples, const float *steps, int count, int rays) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rays) return;
  float red = 0.0f, green = 0.0f, blue = 0.0f, light = 1.0f;
  for (int k = 0; k < count; k++) {
    const float4 sample = samples[(size_t)k * rays + i];  // a colour and a density
    const float alpha = 1.0f - expf(-sample.w * steps[i]);
    const float weight = alpha * light;
    red += weight * sample.x;
    green += weight * sample.y;
    blue += weight * sample.z;
    light *= 1.0f - alpha;
    if (light < 1e-4f) break;
  }
  colour[3 * i] = red;
  colour[3 * i + 1] = green;
  colour[3 * i + 2] = blue;
}
