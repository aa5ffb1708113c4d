// std::function as the front end reads it in host code, in place of the C++ library's, which deals in bytes: the number
// of a function that calls what it holds. What it may hold are members that the front end adds, one for each type that
// a constructor of the program's brings (frontend/held.py), and `cladpy_held` names one of them by its type.
#ifndef _GLIBCXX_STD_FUNCTION_H
#define _GLIBCXX_STD_FUNCTION_H 1

#include <bits/refwrap.h>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace std {

class bad_function_call : public exception {
public:
  const char *what() const noexcept override { return "bad_function_call"; }
};

template <class T> struct __is_location_invariant : is_trivially_copyable<T>::type {};  // which <future> specialises

template <class Signature> class function;

template <class R, class... A> class function<R(A...)> {
  template <class F, class Given = decltype(declval<F &>()(declval<A>()...))>
  using called_so = typename enable_if<!is_same<F, function>::value && (is_void<R>::value || is_convertible<Given, R>::value)>::type;
  template <class F>
  using if_object = typename enable_if<!is_function<typename remove_pointer<typename decay<F>::type>::type>::value>::type;

public:
  typedef R result_type;

  function() : number_(0) {}
  function(nullptr_t) : number_(0) {}
  function(const function &) = default;
  function(function &&) = default;
  template <class F, class = called_so<typename decay<F>::type>, class = if_object<F>> function(F &&f) {
    hold(static_cast<F &&>(f));
  }
  template <class Q, class... B, class = called_so<Q (*)(B...)>> function(Q (*f)(B...)) { hold_pointer(f); }

  function &operator=(const function &) = default;
  function &operator=(function &&) = default;
  function &operator=(nullptr_t) {
    number_ = 0;
    return *this;
  }
  template <class F, class = called_so<typename decay<F>::type>, class = if_object<F>> function &operator=(F &&f) {
    hold(static_cast<F &&>(f));
    return *this;
  }
  template <class Q, class... B, class = called_so<Q (*)(B...)>> function &operator=(Q (*f)(B...)) {
    hold_pointer(f);
    return *this;
  }
  template <class F> function &operator=(reference_wrapper<F> f) {
    hold(f);
    return *this;
  }
  void swap(function &other) {
    const function before = *this;
    *this = other;
    other = before;
  }

  explicit operator bool() const { return number_ != 0; }
  R operator()(A... given) const {
    if (number_ == 0) throw bad_function_call();
    R (*const invoker)(function &, A...) = cladpy_function(number_);
    return invoker(const_cast<function &>(*this), static_cast<A &&>(given)...);
  }

private:
  typedef R (*Invoker)(function &, A...);
  // What these say is not read.
  template <class F> static F &cladpy_held(function &self) { return reinterpret_cast<F &>(self); }
  static Invoker cladpy_function(unsigned long number) { return reinterpret_cast<Invoker>(number); }
  static unsigned long cladpy_number(Invoker invoker) { return reinterpret_cast<unsigned long>(invoker); }

  template <class F> void hold(F &&f) {
    typedef typename decay<F>::type Held;
    new (&cladpy_held<Held>(*this)) Held(static_cast<F &&>(f));
    number_ = cladpy_number(&function::template invoke<Held>);
  }
  template <class Pointer> void hold_pointer(Pointer f) {
    cladpy_held<Pointer>(*this) = f;
    number_ = f ? cladpy_number(&function::template invoke<Pointer>) : 0;
  }
  template <class F> static R invoke(function &self, A... given) {
    return called(cladpy_held<F>(self), static_cast<A &&>(given)...);
  }
  template <class F> static R called(F &f, A... given) { return static_cast<R>(f(static_cast<A &&>(given)...)); }
  template <class Q, class... B> static R called(Q (*f)(B...), A... given) {
    return static_cast<R>(f(static_cast<A &&>(given)...));
  }

  unsigned long number_;
};

template <class R, class... A> bool operator==(const function<R(A...)> &f, nullptr_t) { return !f; }
template <class R, class... A> bool operator!=(const function<R(A...)> &f, nullptr_t) { return static_cast<bool>(f); }
template <class R, class... A> bool operator==(nullptr_t, const function<R(A...)> &f) { return !f; }
template <class R, class... A> bool operator!=(nullptr_t, const function<R(A...)> &f) { return static_cast<bool>(f); }
template <class R, class... A> void swap(function<R(A...)> &a, function<R(A...)> &b) { a.swap(b); }

#if __cplusplus >= 201703L
template <class R, class... A> function(R (*)(A...)) -> function<R(A...)>;
template <class F> struct cladpy_signature;
template <class R, class C, class... A> struct cladpy_signature<R (C::*)(A...)> { typedef R type(A...); };
template <class R, class C, class... A> struct cladpy_signature<R (C::*)(A...) const> { typedef R type(A...); };
template <class F> function(F) -> function<typename cladpy_signature<decltype(&F::operator())>::type>;
#endif

}  // namespace std

#endif  // _GLIBCXX_STD_FUNCTION_H
