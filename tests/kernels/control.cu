// Control flow at any depth.
__global__ void branches(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i];
  if (t < 0.4) {
    t = t * t;
    if (i % 2) t += x[i];
  } else if (t < 0.8) {
    t = sin(t) * t;
  } else {
    double u = t * 2.0;
    if (u > 2.0)
      t = u * u;
    else
      t = exp(-u);
  }
  y[i] = t * x[i];
}

__global__ void early_return(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i];
  if (x[i] < 0.5) return;
  y[i] = x[i] * x[i];
  if (x[i] > 0.9) {
    y[i] *= 3.0;
    return;
  }
  y[i] += sin(x[i]);
}

__global__ void return_in_nested_loops(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0;
  for (int j = 0; j < 6; ++j) {
    for (int k = 0; k <= j; ++k) {
      s += x[(i + j * k) % n] * x[i];
      if (s > 3.0) {
        y[i] = s * s;
        return;
      }
    }
    if (j == 4 && i % 3 == 0) return;
  }
  y[i] = s;
}

__global__ void break_and_continue(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < 20; ++k) {
    if (k % 3 == 1) continue;
    double t = x[(i + k) % n];
    if (t < 0.3) continue;
    s = s * t + 0.1;
    if (s > 2.5) break;
    s += t * t;
  }
  y[i] = s;
}

__global__ void while_loop(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i];
  int count = 0;
  while (t < 5.0 && count < 40) {
    t = t * 1.3 + x[i] * 0.1;
    ++count;
  }
  y[i] = t * count;
}

__global__ void do_loop(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i], s = 0;
  int k = 0;
  do {
    s += t;
    t = sin(t) + 0.2 * s;
    if (k == 2) continue;
    s *= 0.9;
  } while (++k < 5 && s < 4.0);
  y[i] = s * t;
}

__global__ void switch_fallthrough(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i];
  switch (i % 6) {
    case 0:
      t = t * t;
    case 1:
      t += 0.5 * x[i];
      break;
    case 2: {
      double u = sin(t);
      t = u * u;
      break;
    }
    case 3:
    case 4:
      t = exp(t);
    default:
      t *= x[i];
  }
  y[i] = t;
}

__global__ void switch_default_first(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i];
  switch (i & 7) {
    default:
      t *= 2.0;
    case 1:
      t *= x[i];
    case 2:
      t += x[i];
      if (t > 1.0) break;
      t *= t;
    case 3:
      t -= 0.1 * x[i] * t;
  }
  y[i] = t * t;
}

__global__ void switch_in_loop(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < 9; ++k) {
    switch ((i + k) % 4) {
      case 0:
        s += x[k];
        continue;
      case 1:
        s *= x[k];
        break;
      case 2:
        if (s > 4.0) {
          y[i] = s;
          return;
        }
        s = s * s * 0.5;
      default:
        s += 0.3;
    }
    s = s * 0.8 + x[i] * 0.1;
  }
  y[i] = s + x[i];
}

__global__ void loop_in_switch_in_loop(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  int mode = i % 3;
  while (true) {
    switch (mode) {
      case 0:
        for (int k = 0; k < 4; ++k) {
          if (k == i % 4) break;
          s = sin(s) + x[k];
        }
        mode = 2;
        break;
      case 1:
        do {
          s *= 1.4;
        } while (s < 2.0);
        mode = 3;
        break;
      case 2:
        s = s * s;
        mode = 1;
        break;
      default:
        y[i] = s;
        return;
    }
  }
}

__global__ void data_dependent_trips(const double *x, const int *counts, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0.5;
  for (int k = 0; k < counts[i]; ++k) s = s * x[i] + 0.2 * sin(s + k);
  y[i] = s;
}

__global__ void inner_bound_from_data(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0;
  for (int j = 0; j < 5; ++j) {
    double t = x[(i + j) % n];
    int m = (int)(t * 6.0);
    for (int k = 0; k < m; ++k) {
      t = t * x[i] + 0.2;
      for (int l = m; l > k; l -= 2) s += t * x[l];
    }
    s *= 0.7;
  }
  y[i] = s;
}

__global__ void several_loop_variables(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0;
  for (int lo = 0, hi = n - 1; lo < hi; lo += 3, hi -= 2) s += x[lo] * x[hi] * (hi - lo);
  for (double h = 1.0; h > 0.05; h *= 0.5) s += sin(h * x[i]);
  for (unsigned step = n; step > 0; step >>= 1) s += x[step - 1] * x[i];
  for (;;) {
    s *= 0.5;
    if (s < 1.0) break;
  }
  y[i] = s * s;
}

__global__ void declared_in_condition(const double *x, const int *k, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  if (int m = k[i] % 3) s = s * m + x[i] * x[i];
  if (double t = x[i] * 2.0; t > 1.0) s *= t;
  y[i] = s;
}

__global__ void nonlinear_state(const double *x, double *y, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], b = 0.3, c = 1.0;
  for (int k = 0; k < steps; ++k) {
    double next = sin(a * b) + 0.4 * c;
    c = 0.5 * b * a + 0.01 * k;
    b = a;
    a = next;
  }
  y[i] = a * b + c;
}

__global__ void nothing_runs(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i] * x[i];
  for (int k = 0; k < i - 100; ++k) s *= s;
  while (s < -1.0) s += x[i];
  y[i] = s;
}

__global__ void carried_through_branches(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i], last = 0.0;
  for (int k = 0; k < 10; ++k) {
    double t = x[(i * 7 + k) % n];
    if (t > 0.6) {
      last = s * t;
    } else if (last > 0.2) {
      s += last * last;
      last = t;
    }
    s = 0.6 * s + 0.1 * t;
  }
  y[i] = s + last;
}

__global__ void chosen_by_bits(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool negative = __double_as_longlong(x[i] - 0.8) >> 63;
  double v = negative ? -2 * x[i] * x[i] : x[i] * x[i] * x[i];
  const int exponent = (__double2hiint(x[i]) >> 20 & 0x7ff) - 1023;
  const double scale = exponent < 0 ? 3.0 : 0.5;
  y[i] = v * scale * (__double_as_longlong(x[i]) < __double_as_longlong(0.7) ? x[i] : 1.0);
}
