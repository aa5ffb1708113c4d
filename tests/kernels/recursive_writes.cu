// Recursion that writes through its arguments, reads what the kernel writes, decides, or has loops that keep state.

// Each thread has a row of its own.
__device__ void fill(const double *x, double *y, int n) {
  if (n < 0) return;
  y[n] = x[n] * x[n] * (n < 3 ? y[n + 1] : 1.0);
  fill(x, y, n - 1);
  y[n] *= x[0] + y[n] * y[0];
}

__global__ void filled(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  fill(x + 4 * i, y + 4 * i, 3);
  y[4 * i + 2] *= y[4 * i];
  fill(x + 4 * i, y + 4 * i, 2);
}

__device__ void quicksort(double *a, int low, int high) {
  if (low >= high) return;
  double pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i <= j) {
      double t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}

__global__ void sorted(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *row = y + 8 * i;
  for (int j = 0; j < 8; ++j) row[j] = x[8 * i + j] * x[8 * i] + 0.1 * x[8 * i + (j + 1) % 8];
  quicksort(row, 0, 7);
  for (int j = 0; j < 8; ++j) row[j] *= (j + 1) * row[j];
}

__global__ void sorted_locally(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[8];
  for (int j = 0; j < 8; ++j) a[j] = sin(x[8 * i + j]);
  quicksort(a, 0, 7);
  for (int j = 0; j < 8; ++j) y[8 * i + j] = (j + 1) * a[j] * a[7 - j];
}

__device__ void transform(double *re, double *im, double *tr, double *ti, int n, int step) {
  if (step >= n) return;
  transform(tr, ti, re, im, n, step * 2);
  transform(tr + step, ti + step, re + step, im + step, n, step * 2);
  for (int i = 0; i < n; i += 2 * step) {
    double c = cos(-3.141592653589793 * i / n), s = sin(-3.141592653589793 * i / n);
    double r = c * tr[i + step] - s * ti[i + step], q = s * tr[i + step] + c * ti[i + step];
    re[i / 2] = tr[i] + r;
    im[i / 2] = ti[i] + q;
    re[(i + n) / 2] = tr[i] - r;
    im[(i + n) / 2] = ti[i] - q;
  }
}

__global__ void spectrum(const double *x, double *y, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  double re[8], im[8], tr[8], ti[8];
  for (int j = 0; j < 8; ++j) {
    re[j] = tr[j] = x[8 * t + j];
    im[j] = ti[j] = 0.5 * x[8 * t + j] * x[8 * t];
  }
  transform(re, im, tr, ti, 8, 1);
  for (int j = 0; j < 8; ++j) y[8 * t + j] = re[j] * re[j] + im[j] * im[j];
}

// A tree in an array: the children of node i are 2 i + 1 and 2 i + 2.
__device__ void walk(const double *tree, int size, int node, double weight, double *out, double &sum, int &seen) {
  if (node >= size) return;
  walk(tree, size, 2 * node + 1, weight * 0.5, out, sum, seen);
  sum += weight * tree[node] * sum;
  out[seen++] += sum * tree[node];
  if (sum > 0.2) walk(tree, size, 2 * node + 2, weight * sum, out, sum, seen);
}

__global__ void walked(const double *tree, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.1 + tree[i % 7];
  int seen = 0;
  walk(tree, 7, 0, 0.25, y + 8 * i, sum, seen);
  y[8 * i + 7] = sum * seen;
}

// What is called in loops and under branches, and gives a result that is used.
__device__ double take(double *a, int n, double x) {
  if (n == 0) return a[0] * x;
  double v = take(a, n - 1, x * a[n]);
  a[n] = sin(v * a[n - 1] + x);
  return a[n] * v;
}

__global__ void taken(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *row = y + 4 * i;
  double s = x[i];
  for (int j = 0; j < 3; ++j) {
    if (s > 0.3) {
      s = 0.3 + 0.1 * sin(take(row, 3, s));
    } else {
      row[j] += s;
    }
    for (int k = 0; k <= j; ++k) {
      double taken = take(row, k, x[(i + k) % n]);
      s = 0.5 * s + taken * row[k];
    }
    row[0] += 0.1 * s * row[1];
  }
  row[3] *= s;
}

__global__ void taken_while(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[4] = {x[i], 0.5, x[i] * x[i], 0.3}, total = 0.01;
  int steps = 0;
  while (total < 1.5 && steps < 6) {
    total += take(a, 1 + steps % 3, x[i]);
    a[0] += 0.1 * total;
    ++steps;
  }
  y[i] = total * a[1] + a[3];
}

// Two functions that call each other, and numbers by reference.
__device__ void odd(const double *x, double &even_sum, double &odd_sum, int n);
__device__ void even(const double *x, double &even_sum, double &odd_sum, int n) {
  if (n < 0) return;
  even_sum += x[n] * odd_sum;
  odd(x, even_sum, odd_sum, n - 1);
}
__device__ void odd(const double *x, double &even_sum, double &odd_sum, int n) {
  if (n < 0) return;
  odd_sum *= x[n] + even_sum;
  even(x, even_sum, odd_sum, n - 1);
}

__global__ void alternating(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], b = 1.0;
  even(x, a, b, 4);
  y[i] = a * b;
}

// Objects: local ones, and those of an argument.
struct Stack {
  double slots[6];
  double largest;
  int top;
  __device__ void push(double v, int times) {
    if (times == 0) return;
    slots[top++] = v * (top ? slots[top - 1] : 1.0);
    if (v > largest) largest = v;
    push(v * v + 0.1, times - 1);
  }
};

__global__ void pushed(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Stack s = {{}, 0.1, 0};
  s.push(x[i], 2);
  s.push(x[(i + 1) % n], 3);
  y[i] = s.slots[1] * s.slots[4] + s.largest;
}

struct Body {
  double mass, place[2];
};

__device__ void settle(Body *bodies, int first, int last) {
  if (first >= last) return;
  int middle = (first + last) / 2;
  settle(bodies, first, middle);
  settle(bodies, middle + 1, last);
  Body &a = bodies[first], &b = bodies[last];
  a.place[0] += b.mass * b.place[1];
  b.place[1] *= a.place[0] + a.mass;
}

__global__ void settled(const double *x, Body *bodies, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body *own = bodies + 4 * i;
  own[1].place[0] *= x[i];
  settle(own, 0, 3);
  own[2].mass *= own[0].place[0];
}

// Cells that are filled are marked in memory of the thread, in integers.
__device__ void flood(const double *height, int *mark, double *area, int at, double level) {
  if (at < 0 || at >= 9 || mark[at] || height[at] > level) return;
  mark[at] = 1;
  *area += (level - height[at]) * height[at];
  if (at % 3 > 0) flood(height, mark, area, at - 1, level);
  if (at % 3 < 2) flood(height, mark, area, at + 1, level);
  flood(height, mark, area, at - 3, level);
  flood(height, mark, area, at + 3, level);
}

__global__ void flooded(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int mark[9] = {};
  double area = 0;
  flood(x + i, mark, &area, 4, 0.9);
  y[i] = area * x[i];
}

// Only reads, but what the kernel writes; decides; keeps state in a loop.
__device__ double total(const double *a, int n) { return n < 0 ? 0.0 : a[n] * a[n] + 0.5 * total(a, n - 1); }
__device__ int depth(const double *a, int n) { return n <= 0 || a[n] > 1.0 ? n : depth(a, n - 1) + 1; }
__device__ double settling(const double *a, double v, int n) {
  if (n == 0) return v;
  for (int j = 0; j < n || v > 2.0; ++j) v = 0.5 * v + sin(a[j % 3] * v);
  return settling(a, v * v, n - 1) + v;
}

__global__ void only_read(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *row = y + 4 * i;
  for (int j = 0; j < 4; ++j) row[j] = x[i] * (j + 1);
  for (int j = 0; j < 3; ++j) row[j] += 0.1 * total(row, 3) * total(row, j);
  row[3] *= total(row, 2);
}

__global__ void deciding(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  for (int j = 0; j < depth(x + i, 3); ++j) v *= total(x, 2) > 0.7 * v ? x[j] + 0.1 : 0.5;
  y[i] = v;
}

__global__ void with_loops(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < 2; ++j) y[i] += settling(x, x[i] + j, 3);
}

// ---- through objects with pointers of the function's own, and lambdas that capture what it is given ----

struct Row {
  double *first;
  int length;
  __device__ double &operator[](int i) { return first[i % length]; }
  __device__ Row rest() const { return Row{first + 1, length - 1}; }
};

__device__ double halve(double *a, int n, double x) {
  Row row = {a, n};
  row[n] = sin(x * row[n + 1]);
  double sum = row[2] * x;
  if (n > 1) sum += halve(row.rest().first, n - 1, row[1] * x);
  Row rest = n > 1 ? row.rest() : row;
  rest[n] *= row[0] + sum;
  return sum * row[n];
}

__global__ void through_views(const double *x, double *rows, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[2][4];
  for (int k = 0; k < 8; ++k) a[k / 4][k % 4] = cos(x[i] + k);
  double sum = halve(rows + 4 * i, 4, x[i]);
  for (int k = 0; k < 2; ++k) {
    double half = halve(a[k], 4, x[i]);
    sum += half * a[k][3];
  }
  y[i] = sum * a[i % 2][1];
}

__device__ double fold(const double *x, int n, double *total, double &least) {
  double part = 0.2;
  auto add = [&](double v) {
    *total += v * part;
    part += 0.3 * v;
    if (v < least) least = v;
  };
  add(x[n] * x[0]);
  if (n > 0) add(fold(x, n - 1, total, least));
  *total *= part;
  return part * x[n];
}

__global__ void through_lambdas(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double least = 0.9;
  double given = fold(x + 4 * i, 3, &y[2 * i], least);
  y[2 * i + 1] = given * least;
}
