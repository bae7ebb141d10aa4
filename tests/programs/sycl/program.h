// SPDX-License-Identifier: Apache-2.0
//
// What every part of the SYCL program uses: kernels compiled at run time, shared memory, launches, and comparisons of
// every element with what the host computes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

namespace programs {

namespace syclexp = sycl::ext::oneapi::experimental;

/// The right answer of one element, and how far from it the device may be: 0 means the very same bits (any NaN equals
/// any other), otherwise units in the last place as the OpenCL specification defines them (the result as a double,
/// rounded nowhere), or, with `absolute`, a plain distance.
struct Tolerance {
  double ulp = 0;
  double absolute = 0;
  /// Part of the right value.
  double relative = 0;
};

/// A local_accessor<T, 1> among the arguments of a launch.
template <class T>
struct Local {
  std::size_t count;
};

/// Memory that host and device see, freed with the object.
template <class T>
class Shared {
 public:
  Shared(sycl::queue q, std::size_t count, T fill = T{})
      : queue_(std::move(q)), count_(count), data_(sycl::malloc_shared<T>(count, queue_)) {
    if (data_ == nullptr) throw std::bad_alloc();
    std::fill_n(data_, count_, fill);
  }
  Shared(sycl::queue q, const std::vector<T>& values) : Shared(std::move(q), values.size()) {
    std::copy(values.begin(), values.end(), data_);
  }
  ~Shared() { sycl::free(data_, queue_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T& operator[](std::size_t i) const { return data_[i]; }
  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  T* begin() const { return data_; }
  T* end() const { return data_ + count_; }

 private:
  sycl::queue queue_;
  std::size_t count_;
  T* data_;
};

class Program;

/// The kernels of one file of kernels/.
class Kernels {
 public:
  Kernels(Program& program, sycl::kernel_bundle<sycl::bundle_state::executable> bundle)
      : program_(&program), bundle_(std::move(bundle)) {}
  /// Runs a kernel and waits for it.
  template <int D, class... A>
  void run(const std::string& kernel, sycl::nd_range<D> range, const A&... arguments);
  sycl::kernel get(const std::string& kernel) { return bundle_.ext_oneapi_get_kernel(kernel); }

 private:
  Program* program_;
  sycl::kernel_bundle<sycl::bundle_state::executable> bundle_;
};

class Program {
 public:
  /// `cache`: a directory that keeps compiled kernels, or empty.
  Program(std::string kernel_directory, std::string cache);

  /// Compiles kernels/FILE with these macros.
  Kernels kernels(const std::string& file, const std::vector<std::string>& defines = {});
  /// The same in one step and without the cache: the runtime links the libraries that the compiler adds.
  Kernels built(const std::string& file);

  sycl::queue& queue() { return queue_; }
  const sycl::device& device() const { return device_; }
  /// The sub-group sizes of the device.
  std::vector<std::size_t> sub_group_sizes() const { return device_.get_info<sycl::info::device::sub_group_sizes>(); }

  template <class T>
  Shared<T> zeros(std::size_t count) {
    return Shared<T>(queue_, count);
  }
  template <class T>
  Shared<T> shared(const std::vector<T>& values) {
    return Shared<T>(queue_, values);
  }

  void expect(bool ok, const std::string& what);
  /// Compares all elements; `want(i)` is the right value of element i, in any arithmetic type.
  template <class T, class F>
  void expect_all(const std::string& what, const Shared<T>& got, F want, const Tolerance& tolerance = {});

  int failures() const { return failures_; }
  std::size_t checks() const { return checks_; }
  std::size_t elements() const { return elements_; }

 private:
  void report(const std::string& what, std::size_t wrong, std::size_t total, const std::string& first);

  std::string kernel_directory_, cache_;
  sycl::device device_;
  sycl::context context_;
  sycl::queue queue_;
  int failures_ = 0;
  std::size_t checks_ = 0, elements_ = 0;
};

/// The distance of one unit in the last place of a format with `digits` bits of significand at `value`.
double unit_in_last_place(double value, int digits, int min_exponent);

namespace detail {

template <class T>
auto to_argument(sycl::handler&, const T& value) {
  return value;
}
template <class T>
T* to_argument(sycl::handler&, const Shared<T>& value) {
  return value.data();
}
template <class T>
auto to_argument(sycl::handler& h, const Local<T>& value) {
  return sycl::local_accessor<T, 1>(value.count, h);
}

struct Format {
  int digits, min_exponent;
  double largest;
};
template <class T>
constexpr Format format_of() {
  if constexpr (std::is_same_v<T, float>)
    return {24, -126, 3.4028234663852886e38};
  else if constexpr (std::is_same_v<T, double>)
    return {53, -1022, 1.7976931348623157e308};
  else
    return {11, -14, 65504.0};
}

template <class T>
constexpr bool is_floating = std::is_floating_point_v<T> || std::is_same_v<T, sycl::half>;

/// Is `got` an allowed answer for `want`?
bool allowed(double got, double want, const Tolerance& tolerance, const Format& format);

template <class T, class W>
bool right(T got, W want, const Tolerance& tolerance) {
  if constexpr (is_floating<T>) {
    const double g = static_cast<double>(got), w = static_cast<double>(want);
    if (tolerance.ulp == 0 && tolerance.absolute == 0 && tolerance.relative == 0) {
      const T t = static_cast<T>(want);
      return (std::isnan(g) && std::isnan(w)) || std::memcmp(&t, &got, sizeof t) == 0;
    }
    return allowed(g, w, tolerance, format_of<T>());
  } else {
    return got == static_cast<T>(want);
  }
}

template <class T>
std::string text_of(T value) {
  char text[64];
  if constexpr (is_floating<T>)
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>)
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
  else
    std::snprintf(text, sizeof text, "%llu (0x%llx)", static_cast<unsigned long long>(value),
                  static_cast<unsigned long long>(value));
  return text;
}

}  // namespace detail

template <int D, class... A>
void Kernels::run(const std::string& kernel, sycl::nd_range<D> range, const A&... arguments) {
  const sycl::kernel k = get(kernel);
  program_->queue()
      .submit([&](sycl::handler& h) {
        h.set_args(detail::to_argument(h, arguments)...);
        h.parallel_for(range, k);
      })
      .wait_and_throw();
}

template <class T, class F>
void Program::expect_all(const std::string& what, const Shared<T>& got, F want, const Tolerance& tolerance) {
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto expected = want(i);
    if (detail::right(got[i], expected, tolerance)) continue;
    if (wrong++ < 3)
      first +=
          " [" + std::to_string(i) + "] " + detail::text_of(got[i]) + " instead of " + detail::text_of(expected) + ";";
  }
  report(what, wrong, got.size(), first);
}

/// One part of the program: a name and the checks.
struct Part {
  const char* name;
  void (*run)(Program&);
};
void sub_groups(Program&);
void work_groups(Program&);
void local_memory(Program&);
void atomics(Program&);
void integers(Program&);
void conversions(Program&);
void math_functions(Program&);
void control_flow(Program&);
void data(Program&);
void doubles(Program&);

}  // namespace programs
