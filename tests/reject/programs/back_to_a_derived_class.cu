// k(o)
struct Left {
  double a;
};
struct Right {
  double b;
};
struct Both : Left, Right {};
__global__ void k(double *o, Right *right) {
  Both *both = (Both *)right;
  o[0] = o[1] * both->a * both->b;
}
