// Line::at(x)
// CP0004
template <class T>
struct Line {
  T slope;
  T at(T x) const { return slope * x; }
};
