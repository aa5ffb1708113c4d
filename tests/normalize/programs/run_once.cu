// A loop that runs once is its body, one that never runs is nothing; where a second iteration may do something it stays.
double k(const double *x, int n) {
  double sum = 0;
  for (int i = 3; i < 4; i++) sum += x[i];
  for (int i = 2; i > 2; i--) sum *= x[i];
  int last = 0;
  do {
    if (last == 0) sum += x[0];
    if (n > 5) sum *= x[1];
  } while (last);
  for (int i = 0; i < 3; i += 2) sum += x[i];
  bool more = true;
  while (more) {
    if (n < 2) break;
    sum *= x[2];
    more = false;
  }
  return sum;
}
