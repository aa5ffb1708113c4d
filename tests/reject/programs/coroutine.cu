// k(x, y)
// std=c++20
// CP0118
namespace std {
template <typename...> struct coroutine_traits;
template <typename T = void> struct coroutine_handle {
  static coroutine_handle from_address(void *) noexcept;
  operator coroutine_handle<>() const noexcept;
};
template <> struct coroutine_handle<void> { static coroutine_handle from_address(void *) noexcept; };
}
struct Ready {
  bool await_ready() noexcept;
  void await_suspend(std::coroutine_handle<>) noexcept;
  double await_resume() noexcept;
};
struct Promise {
  void get_return_object();
  Ready initial_suspend() noexcept;
  Ready final_suspend() noexcept;
  void return_void();
  void unhandled_exception();
};
template <typename... A> struct std::coroutine_traits<void, A...> { using promise_type = Promise; };
void k(double *x, double *y) { y[0] = x[0] * co_await Ready{}; }
