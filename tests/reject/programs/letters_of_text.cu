// f(x)
// CP0209
static double scale(const char *kind) { return kind[0] == 'd' ? 2.0 : 1.0; }
double f(double x) { return x * scale("double"); }
