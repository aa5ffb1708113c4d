// Numbers beside the pointers of objects that are passed by value: each has an adjoint of its own.
struct Law { double a; float b; double w[3]; int order; };
struct View { double *data; double gain; int n; };

__global__ void scaled(const double *x, double *y, View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= v.n) return;
  y[i] = v.data[i] * x[i] * v.gain + sin(v.gain);
}

struct Base { double shift; const double *offsets; };
class Model : public Base {
 public:
  __device__ double at(int i, double x) const {
    double s = law.a * x + law.w[i % 3] * law.b + weights[i % 2][0] * shift;
    for (int k = 0; k < 2; ++k) s += laws[k].a * laws[k].w[1] * view.gain * view.data[i];
    return s * hidden + offsets[i];
  }
  View view;
  Law law;
  double weights[2][2];
  Law laws[2];
  float3 origin;

 private:
  double hidden;
};

__global__ void members(const double *x, double *y, Model m, double m_shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m.view.n) return;
  m.weights[1][0] += x[i];
  m.law.a *= m.origin.y;
  y[i] = m.at(i, x[i]) * m_shift;
}

// A loop of unknown length needs a workspace.
__global__ void stepped(const double *x, double *y, View v, const int *steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= v.n) return;
  double s = x[i];
  for (int k = 0; k < steps[i]; ++k) s = s * s * v.gain + v.data[i];
  y[i] = s;
}

// Members without names: what is in them is called as if it were the class's own.
struct Rates { const double *at; struct { double low; struct { double high; }; }; double scale; };
struct Pair { struct { double a, b; }; double last; };
__global__ void unnamed(const Pair *p, double *y, Rates r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = r.low * r.at[i] * r.scale + p[i].b * p[i].a * r.high * p[i].last;
}

double on_host(View v, double x) {
  double s = 0;
  for (int i = 0; i < v.n; ++i) s += v.data[i] * v.gain * x;
  return s;
}
