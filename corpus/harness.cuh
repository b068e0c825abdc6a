// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a slow/fast pair tells about itself, so that utils/corpus-gpu can run
// it: two launches that compute the same, a CPU reference, sizes, and layouts
// where the two sides want their data laid out differently. No header of the
// library is included: Warplint reads this file with every pair.
//
//   static corpus::Pair pair = corpus::pair("left", slow, fast, reference)
//                                  .output(N).input<0>(2 * N)
//                                  .layout<1, 0>(N, planar);
//
// A launch is `void slow(Out *out, const In *in...)`, with one to three inputs
// in device memory; the reference has the same parameters, in host memory.
#ifndef WARPLINT_CORPUS_HARNESS_CUH
#define WARPLINT_CORPUS_HARNESS_CUH

namespace corpus {

using Count = unsigned long long;
using Function = void (*)(); ///< any function, cast back before it is called

/// Random numbers by counting and mixing (splitmix64); a new seed each run.
struct Random {
  Count State;
  Count bits() {
    Count z = State += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned n) { return (bits() >> 32) * n >> 32; }
  float uniform() { return float(bits() >> 40) / float(1 << 23) - 1.f; }
};

enum Side { Slow, Fast };

template <class T> void draw(T &to, Random &r) { to = T(r.bits() >> 32); }
inline void draw(float &to, Random &r) { to = r.uniform(); }
inline void draw(double &to, Random &r) { to = r.uniform(); }

/// Fills an array whose elements nobody asked to be anything special. Records
/// are filled as floats, bytes as bytes.
template <class T> void fillUniform(T *to, Count n, Random &r) {
  if constexpr (__is_class(T)) {
    fillUniform(reinterpret_cast<float *>(to), n * sizeof(T) / 4, r);
  } else {
    for (Count i = 0; i < n; ++i)
      draw(to[i], r);
  }
}

/// Whether a computed number is the reference's: exactly, or for floating point
/// to four digits, because sums are taken in another order.
template <class T> bool same(T a, T b) { return a == b; }
inline bool close(double a, double b) {
  const double difference = a < b ? b - a : a - b, size = b < 0 ? -b : b;
  return difference <= 1e-4 * (1 + size);
}
inline bool same(float a, float b) { return close(a, b); }
inline bool same(double a, double b) { return close(a, b); }

/// The index of the first element that differs, or All.
constexpr Count All = ~0ull;
template <class T> Count firstWrong(const T *got, const T *right, Count n) {
  if constexpr (__is_class(T)) {
    return firstWrong(reinterpret_cast<const float *>(got),
                      reinterpret_cast<const float *>(right),
                      n * sizeof(T) / 4);
  } else {
    for (Count i = 0; i < n; ++i)
      if (!same(got[i], right[i]))
        return i;
    return All;
  }
}

/// One array of a pair: as the reference has it, and as each side has it.
struct Array {
  Count Bytes = 0, SideBytes[2] = {};
  Function Fill = nullptr, Arrange[2] = {};
  void (*CallFill)(Function, void *, Count, Random &) = nullptr;
  void (*CallArrange)(Function, void *, const void *) = nullptr;
};

/// A pair without its types. utils/corpus-gpu/harness.cu runs it.
struct Pair {
  const char *Name;
  Function Run[2], Reference;
  void (*Call)(Function, void *out, void *const *in);
  Count (*Compare)(const void *got, const void *right, Count bytes);
  Array Output, Inputs[3];
  int InputCount;
  bool Zeroed = false; ///< the output starts as zeros: kernels that add to it
  const Pair *Next = nullptr;
};

/// \p n, which nobody who reads the file alone can know.
int atRunTime(int n);

/// Makes the pair known to the program that runs them.
void enlist(Pair &);

template <class Out, class... In> class Builder {
  static constexpr int InputCount = sizeof...(In);
  template <int I, class First, class... Rest> struct At {
    using Type = typename At<I - 1, Rest...>::Type;
  };
  template <class First, class... Rest> struct At<0, First, Rest...> {
    using Type = First;
  };
  template <int I> using Input = typename At<I, In...>::Type;

  static void call(Function f, void *out, void *const *in) {
    auto *run = reinterpret_cast<void (*)(Out *, const In *...)>(f);
    if constexpr (InputCount == 1)
      run((Out *)out, (const Input<0> *)in[0]);
    else if constexpr (InputCount == 2)
      run((Out *)out, (const Input<0> *)in[0], (const Input<1> *)in[1]);
    else
      run((Out *)out, (const Input<0> *)in[0], (const Input<1> *)in[1],
          (const Input<2> *)in[2]);
  }
  static Count compare(const void *got, const void *right, Count bytes) {
    return firstWrong((const Out *)got, (const Out *)right,
                      bytes / sizeof(Out));
  }
  template <class T>
  static void callFill(Function f, void *to, Count n, Random &r) {
    reinterpret_cast<void (*)(T *, Count, Random &)>(f)((T *)to, n / sizeof(T),
                                                        r);
  }
  template <class T>
  static void callArrange(Function f, void *to, const void *from) {
    reinterpret_cast<void (*)(T *, const T *)>(f)((T *)to, (const T *)from);
  }

  Pair P;

public:
  using Launch = void (*)(Out *, const In *...);
  Builder(const char *name, Launch slow, Launch fast, Launch reference)
      : P{name,
          {(Function)slow, (Function)fast},
          (Function)reference,
          call,
          compare,
          {},
          {},
          InputCount} {
    P.Output.CallArrange = callArrange<Out>;
  }
  /// Elements of the output.
  Builder &output(Count n) {
    P.Output.Bytes = P.Output.SideBytes[0] = P.Output.SideBytes[1] =
        n * sizeof(Out);
    return *this;
  }
  Builder &zeroed() {
    P.Zeroed = true;
    return *this;
  }
  /// Elements of input I, and what they are.
  template <int I>
  Builder &input(Count n, void (*fill)(Input<I> *, Count,
                                       Random &) = fillUniform<Input<I>>) {
    Array &a = P.Inputs[I];
    a.Bytes = a.SideBytes[0] = a.SideBytes[1] = n * sizeof(Input<I>);
    a.Fill = (Function)fill;
    a.CallFill = callFill<Input<I>>;
    a.CallArrange = callArrange<Input<I>>;
    return *this;
  }
  /// Side S wants input I as \p arrange lays it out, n elements of it.
  template <int S, int I>
  Builder &layout(Count n, void (*arrange)(Input<I> *, const Input<I> *)) {
    P.Inputs[I].SideBytes[S] = n * sizeof(Input<I>);
    P.Inputs[I].Arrange[S] = (Function)arrange;
    return *this;
  }
  /// Side S writes n elements, which \p restore brings into the reference's
  /// order.
  template <int S>
  Builder &restore(Count n, void (*restore)(Out *, const Out *)) {
    P.Output.SideBytes[S] = n * sizeof(Out);
    P.Output.Arrange[S] = (Function)restore;
    return *this;
  }
  operator Pair() const { return P; }
};

template <class Out, class... In>
Builder<Out, In...> pair(const char *name, void (*slow)(Out *, const In *...),
                         void (*fast)(Out *, const In *...),
                         void (*reference)(Out *, const In *...)) {
  return {name, slow, fast, reference};
}

/// Enlists at program start.
struct Enlisted : Pair {
  template <class B> Enlisted(const B &builder) : Pair(builder) {
    enlist(*this);
  }
};

} // namespace corpus

#endif
