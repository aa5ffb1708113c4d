// Text and streams are left out, but for what can be printed of them.
#include <cstdio>
#include <iostream>
#include <string>

std::string title;
void log_it(const std::string &text, int n) { std::cerr << text << n; }

void k(const double *x, double *y, int n) {
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaSuccess));
  printf("%s\n", title.c_str());
  printf("%d of %s\n", n, "all");
  const char *text = "this";
  printf("%s\n", text);
  log_it(title, n);
  y[0] = x[0];
}
