// f(x)
// CP0003
double f(double x) { return x; }
float f(float x) { return x; }
