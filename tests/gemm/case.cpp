// SPDX-License-Identifier: Apache-2.0
#include "case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "gemm/packing.h"

namespace xeforge::gemm {

namespace {

constexpr std::byte kGuard{0xA5};
constexpr std::size_t kGuardBytes = 256;

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  std::uint32_t next() { return (state_ = state_ * 1664525 + 1013904223) >> 8; }
  std::int64_t below(std::int64_t limit) { return static_cast<std::int64_t>(next()) % limit; }
  float uniform() { return static_cast<float>(next()) / static_cast<float>(1 << 23) - 1; }

 private:
  std::uint32_t state_;
};

template <class T>
double as(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double read(Type type, const std::byte* at) {
  switch (type) {
    case Type::Bf16: {
      Bf16 bits = 0;
      std::memcpy(&bits, at, sizeof bits);
      return from_bf16(bits);
    }
    case Type::F16:
      return as<sycl::half>(at);
    case Type::F32:
      return as<float>(at);
    case Type::S8:
      return as<std::int8_t>(at);
    case Type::U8:
      return as<std::uint8_t>(at);
    default:
      return as<std::int32_t>(at);
  }
}

template <class T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <class T>
T saturated(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<T>(std::clamp(std::nearbyint(value), static_cast<double>(std::numeric_limits<T>::lowest()),
                                   static_cast<double>(std::numeric_limits<T>::max())));
}

void write(Type type, std::byte* at, double value) {
  switch (type) {
    case Type::Bf16:
      return put(at, to_bf16(static_cast<float>(value)));
    case Type::F16:
      return put(at, sycl::half(static_cast<float>(value)));
    case Type::F32:
      return put(at, static_cast<float>(value));
    case Type::S8:
      return put(at, saturated<std::int8_t>(value));
    case Type::U8:
      return put(at, saturated<std::uint8_t>(value));
    case Type::S32:
      return put(at, saturated<std::int32_t>(value));
  }
}

/// Distance of neighbours of a value of a float type; 1 for integers.
double ulp(Type type, double value) {
  if (is_integer(type)) return 1;
  const int bits = type == Type::Bf16 ? 8 : type == Type::F16 ? 11 : 24;
  const int least = type == Type::F16 ? -24 : -149;
  if (value == 0) return std::ldexp(1.0, least);
  return std::ldexp(1.0, std::max(std::ilogb(value) - bits + 1, least));
}

/// A batch of matrices in memory of the host and of the device, with guards around.
class Stored {
 public:
  Stored(sycl::queue queue, Type type, std::int64_t rows, std::int64_t columns, bool by_rows, std::int64_t ld,
         std::int64_t stride, std::int64_t batch, std::int64_t offset)
      : queue_(std::move(queue)),
        type_(type),
        rows_(rows),
        columns_(columns),
        by_rows_(by_rows),
        ld_(ld),
        stride_(stride),
        batch_(stride == 0 ? 1 : batch) {
    const std::int64_t outer = by_rows ? rows : columns, inner = by_rows ? columns : rows;
    const std::int64_t elements =
        outer == 0 || inner == 0 || batch == 0 ? 0 : (batch_ - 1) * stride + (outer - 1) * ld + inner;
    begin_ = kGuardBytes + static_cast<std::size_t>(offset) * size_of(type);
    bytes_.assign(begin_ + static_cast<std::size_t>(elements) * size_of(type) + kGuardBytes, kGuard);
    memory_.reset(sycl::malloc_device<std::byte>(bytes_.size(), queue_),
                  [context = queue_.get_context()](std::byte* pointer) { sycl::free(pointer, context); });
  }

  std::byte* at(std::int64_t matrix, std::int64_t row, std::int64_t column) {
    return bytes_.data() + place(matrix, row, column);
  }
  double get(std::int64_t matrix, std::int64_t row, std::int64_t column) const {
    return read(type_, bytes_.data() + place(matrix, row, column));
  }
  template <class Make>
  void fill(Make make) {
    for (std::int64_t b = 0; b < batch_; ++b) {
      for (std::int64_t i = 0; i < rows_; ++i) {
        for (std::int64_t j = 0; j < columns_; ++j) write(type_, at(b, i, j), make());
      }
    }
  }
  void to_device() { queue_.memcpy(memory_.get(), bytes_.data(), bytes_.size()).wait_and_throw(); }
  std::vector<std::byte> from_device() {
    std::vector<std::byte> result(bytes_.size());
    queue_.memcpy(result.data(), memory_.get(), result.size()).wait_and_throw();
    return result;
  }
  std::byte* device(std::int64_t matrix = 0) const {
    return memory_.get() + begin_ + static_cast<std::size_t>((stride_ == 0 ? 0 : matrix) * stride_) * size_of(type_);
  }
  std::vector<std::byte>& host() { return bytes_; }
  Type type() const { return type_; }

 private:
  std::size_t place(std::int64_t matrix, std::int64_t row, std::int64_t column) const {
    const std::int64_t index =
        (stride_ == 0 ? 0 : matrix) * stride_ + (by_rows_ ? row * ld_ + column : column * ld_ + row);
    return begin_ + static_cast<std::size_t>(index) * size_of(type_);
  }

  sycl::queue queue_;
  Type type_;
  std::int64_t rows_, columns_;
  bool by_rows_;
  std::int64_t ld_, stride_, batch_;
  std::size_t begin_ = 0;
  std::vector<std::byte> bytes_;
  std::shared_ptr<std::byte> memory_;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

/// One step with its numbers: on the device for the library, here for the reference.
struct Step {
  Epilogue::Kind kind;
  Along along = Along::All;
  std::unique_ptr<Stored> numbers;
  double value = 0, high = 0;
  bool of_c = false;  ///< the residual is C
};

double erf_gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }
double tanh_gelu(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
}

class Chain {
 public:
  Chain(sycl::queue queue, const Case& line, Stored& c) : problem_(resolved(line.problem)) {
    Random random(line.seed + 77);
    for (const std::string& text : split(line.epilogue, '+')) add(queue, split(text, '.'), random, c);
  }

  const Epilogue& epilogue() const { return epilogue_; }
  bool exact() const { return exact_; }

  double apply(double v, std::int64_t matrix, std::int64_t row, std::int64_t column, double old_c) const {
    for (const Step& step : steps_) {
      double number = step.value;
      if (step.of_c) {
        number = old_c;
      } else if (step.kind == Epilogue::Kind::Residual) {
        number = step.numbers->get(matrix, row, column);
      } else if (step.numbers) {
        number = step.numbers->get(0, step.along == Along::Rows ? row : 0, step.along == Along::Columns ? column : 0);
      }
      v = applied(step, v, number);
    }
    return v;
  }

 private:
  static double applied(const Step& step, double v, double number) {
    switch (step.kind) {
      case Epilogue::Kind::Scale:
        return v * number;
      case Epilogue::Kind::Bias:
      case Epilogue::Kind::Residual:
      case Epilogue::Kind::Shift:
        return v + number;
      case Epilogue::Kind::Relu:
        return v < 0 ? 0 : v;
      case Epilogue::Kind::Gelu:
        return erf_gelu(v);
      case Epilogue::Kind::GeluTanh:
        return tanh_gelu(v);
      case Epilogue::Kind::Silu:
        return v / (1 + std::exp(-v));
      case Epilogue::Kind::Clamp:
        return std::clamp(v, step.value, step.high);
    }
    throw std::logic_error("no such step");
  }

  void add(const sycl::queue& queue, const std::vector<std::string>& words, Random& random, Stored& c) {
    const std::string& name = words.front();
    const std::map<std::string, Along> alongs{{"all", Along::All}, {"columns", Along::Columns}, {"rows", Along::Rows}};
    Step step{Epilogue::Kind::Relu, Along::All, nullptr, 0, 0, false};
    Type type = Type::F32;
    bool given = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (const auto found = alongs.find(words[i]); found != alongs.end()) {
        step.along = found->second;
        given = true;
      } else if (words[i] == "c") {
        step.of_c = true;
      } else {
        type = parse_problem("1x1x1:to=" + words[i]).c;
      }
    }
    if (name == "scale" || name == "bias") {
      const bool scales = name == "scale";
      step.kind = scales ? Epilogue::Kind::Scale : Epilogue::Kind::Bias;
      if (scales && !given) {
        step.value = 0.5;
        epilogue_.scale(0.5F);
      } else {
        step.numbers = std::make_unique<Stored>(
            queue, type, step.along == Along::Rows ? problem_.m : 1, step.along == Along::Columns ? problem_.n : 1,
            step.along == Along::Columns, std::max<std::int64_t>(problem_.n, 1), 0, 1, 0);
        // Powers of two and small integers keep exact results exact.
        step.numbers->fill([&] {
          return scales ? std::ldexp(1.0, static_cast<int>(random.below(3))) : static_cast<double>(random.below(9));
        });
        step.numbers->to_device();
        const auto method =
            scales ? static_cast<Epilogue& (Epilogue::*)(Along, const void*, Type)>(&Epilogue::scale) : &Epilogue::bias;
        (epilogue_.*method)(step.along, step.numbers->device(), type);
      }
    } else if (name == "residual") {
      step.kind = Epilogue::Kind::Residual;
      if (step.of_c) {
        epilogue_.residual(c.device(), problem_.c, problem_.ldc, problem_.stride_c);
      } else {
        const bool by_rows = problem_.order == Order::Rows;
        const std::int64_t ld = (by_rows ? problem_.n : problem_.m) + 3,
                           stride = ld * (by_rows ? problem_.m : problem_.n) + 5;
        step.numbers =
            std::make_unique<Stored>(queue, type, problem_.m, problem_.n, by_rows, ld, stride, problem_.batch, 0);
        step.numbers->fill([&] { return static_cast<double>(random.below(9)); });
        step.numbers->to_device();
        epilogue_.residual(step.numbers->device(), type, ld, stride);
      }
    } else if (name == "clamp") {
      step = {Epilogue::Kind::Clamp, Along::All, nullptr, -2, 5, false};
      epilogue_.clamp(-2, 5);
    } else if (name == "quantize") {
      steps_.push_back({Epilogue::Kind::Scale, Along::All, nullptr, 0.25, 0, false});
      step = {Epilogue::Kind::Shift, Along::All, nullptr, 3, 0, false};
      epilogue_.quantize(4, 3);
    } else if (name == "relu") {
      epilogue_.relu();
    } else {
      exact_ = false;
      if (name == "gelu") {
        step.kind = Epilogue::Kind::Gelu;
        epilogue_.gelu();
      } else if (name == "gelu_tanh") {
        step.kind = Epilogue::Kind::GeluTanh;
        epilogue_.gelu_tanh();
      } else if (name == "silu") {
        step.kind = Epilogue::Kind::Silu;
        epilogue_.silu();
      } else {
        throw std::invalid_argument("no step of an epilogue: " + name);
      }
    }
    steps_.push_back(std::move(step));
  }

  Problem problem_;
  std::vector<Step> steps_;
  Epilogue epilogue_;
  bool exact_ = true;
};

double tf32(double value) {
  const double step = ulp(Type::F32, value) * 8192;
  return value == 0 ? 0 : std::nearbyint(value / step) * step;
}

struct Sum {
  double value = 0, magnitude = 0;
};

/// What one element has to be: the exact number, and how far from it a right result may be.
struct Expected {
  double value, tolerance;
};

class Reference {
 public:
  Reference(const Case& line, Stored& a, Stored& b, Stored& c, const Chain& chain)
      : line_(line), problem_(resolved(line.problem)), a_(a), b_(b), c_(c), chain_(chain) {}

  Expected of(std::int64_t matrix, std::int64_t row, std::int64_t column) const {
    const Sum sum = product(matrix, row, column);
    const double old_c = c_.get(matrix, row, column);
    const Problem& p = problem_;
    const bool whole = p.alpha == std::trunc(p.alpha) && p.beta == std::trunc(p.beta);
    double value = static_cast<double>(p.alpha) * sum.value;
    if (p.beta != 0) value += static_cast<double>(p.beta) * old_c;
    if (p.c == Type::S32 && whole && line_.epilogue.empty())
      return {static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(value))), 0};
    // Arrays of pointers name the matrices backwards; a residual has the call's order.
    value = chain_.apply(value, line_.pointers ? p.batch - 1 - matrix : matrix, row, column, old_c);
    std::byte stored[8];
    write(p.c, stored, value);
    const double rounded = read(p.c, stored);
    if (!line_.random && chain_.exact()) return {rounded, 0};
    // Sums in float: k roundings at most of partial sums; functions to a few units; one rounding to C's type, which may
    // go to either neighbour.
    constexpr double kUnit = 1.0 / (1 << 24);
    const double magnitude = std::abs(p.alpha) * sum.magnitude + (p.beta == 0 ? 0 : std::abs(p.beta * old_c));
    const double budget = (static_cast<double>(p.k) + 8) * kUnit * magnitude + 32 * kUnit * std::abs(value) + 1e-6;
    // Where C's type ends, so does what is expected.
    const bool ends = is_integer(p.c) || std::isinf(rounded);
    return {ends ? rounded : value, budget + ulp(p.c, ends ? 0 : value)};
  }

 private:
  Sum product(std::int64_t matrix, std::int64_t row, std::int64_t column) const {
    Sum sum;
    if (problem_.alpha == 0) return sum;
    for (std::int64_t k = 0; k < problem_.k; ++k) {
      double left = a_.get(matrix, row, k), right = b_.get(matrix, k, column);
      if (problem_.precision == Precision::Tf32) {
        left = tf32(left);
        right = tf32(right);
      }
      sum.value += left * right;
      sum.magnitude += std::abs(left * right);
    }
    return sum;
  }

  const Case& line_;
  Problem problem_;
  Stored &a_, &b_, &c_;
  const Chain& chain_;
};

std::string place(std::int64_t matrix, std::int64_t row, std::int64_t column) {
  return "C[" + std::to_string(matrix) + "][" + std::to_string(row) + "][" + std::to_string(column) + "]";
}

std::string compare(const Case& line, const Reference& reference, Stored& c, const std::vector<std::byte>& found) {
  const Problem p = resolved(line.problem);
  std::int64_t wrong = 0;
  std::ostringstream first;
  std::vector<std::byte> expected = c.host();
  for (std::int64_t matrix = 0; matrix < p.batch; ++matrix) {
    for (std::int64_t row = 0; row < p.m; ++row) {
      for (std::int64_t column = 0; column < p.n; ++column) {
        const Expected e = reference.of(matrix, row, column);
        const std::byte* const at = found.data() + (c.at(matrix, row, column) - c.host().data());
        const double value = read(p.c, at);
        const bool same =
            std::isnan(e.value) ? std::isnan(value) : std::abs(value - e.value) <= e.tolerance || value == e.value;
        if (!same && wrong++ == 0)
          first << place(matrix, row, column) << " is " << value << ", expected " << e.value << " within "
                << e.tolerance;
        std::memcpy(expected.data() + (c.at(matrix, row, column) - c.host().data()), at, size_of(p.c));
      }
    }
  }
  if (wrong != 0) return std::to_string(wrong) + " elements are wrong; the first: " + first.str();
  return expected == found ? "" : "memory of C between or around its elements was changed";
}

}  // namespace

std::string to_string(const Case& line) {
  std::string text = to_string(line.problem);
  if (!line.epilogue.empty()) text += "/epi=" + line.epilogue;
  if (line.seed != 1) text += "/seed=" + std::to_string(line.seed);
  if (line.random) text += "/random";
  if (line.device_factors) text += "/device";
  if (line.pointers) text += "/pointers";
  if (line.packed_a) text += "/pa";
  if (line.packed_b) text += "/pb";
  if (line.offset != 0) text += "/off=" + std::to_string(line.offset);
  return text;
}

Case parse_case(const std::string& text) {
  const std::vector<std::string> words = split(text, '/');
  Case line;
  line.problem = parse_problem(words.at(0));
  const std::map<std::string, bool Case::*> flags{{"random", &Case::random},
                                                  {"device", &Case::device_factors},
                                                  {"pointers", &Case::pointers},
                                                  {"pa", &Case::packed_a},
                                                  {"pb", &Case::packed_b}};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (const auto found = flags.find(word); found != flags.end()) {
      line.*found->second = true;
    } else if (word.starts_with("epi=")) {
      line.epilogue = word.substr(4);
    } else if (word.starts_with("seed=")) {
      line.seed = static_cast<std::uint32_t>(std::stoul(word.substr(5)));
    } else if (word.starts_with("off=")) {
      line.offset = std::stol(word.substr(4));
    } else {
      throw std::invalid_argument("no word of a case: " + word);
    }
  }
  return line;
}

std::string run(Gemm& gemm, const Case& line) {
  sycl::queue queue = gemm.queue();
  const Problem p = resolved(line.problem);
  const bool by_rows = p.order == Order::Rows;
  Stored a(queue, p.a, p.m, p.k, by_rows != p.transpose_a, p.lda, p.stride_a, p.batch, line.offset);
  Stored b(queue, p.b, p.k, p.n, by_rows != p.transpose_b, p.ldb, p.stride_b, p.batch, line.offset);
  Stored c(queue, p.c, p.m, p.n, by_rows, p.ldc, p.stride_c, p.batch, line.offset);
  Random random(line.seed);
  const auto element = [&](Type type) {
    if (line.random && !is_integer(type)) return static_cast<double>(random.uniform());
    const double value = static_cast<double>(random.below(7));
    return type == Type::U8 ? value : value - 3;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  // NaN where nothing may be read. Integers have none: there the guards' bytes stay.
  if (p.alpha != 0 || !is_integer(p.a)) {
    a.fill([&] { return p.alpha == 0 ? kNan : element(p.a); });
    b.fill([&] { return p.alpha == 0 ? kNan : element(p.b); });
  }
  c.fill([&] {
    if (p.beta == 0 && line.epilogue.find("residual.c") == std::string::npos) return is_integer(p.c) ? 99.0 : kNan;
    return element(p.c);
  });
  for (Stored* matrix : {&a, &b, &c}) matrix->to_device();
  const std::vector<std::byte> old_a = a.host(), old_b = b.host();

  const Chain chain(queue, line, c);
  Extras extras;
  extras.epilogue = chain.epilogue();
  const std::shared_ptr<float> factors(sycl::malloc_device<float>(2, queue),
                                       [&](float* pointer) { sycl::free(pointer, queue); });
  Problem given = line.problem;
  if (line.device_factors) {
    const float values[] = {p.alpha, p.beta};
    queue.memcpy(factors.get(), values, sizeof values).wait_and_throw();
    extras.alpha = factors.get();
    extras.beta = factors.get() + 1;
    given.alpha = given.beta = 1234;  // must not count
  }
  if (line.pointers) {
    std::vector<std::shared_ptr<void*>> arrays;
    for (Stored* matrix : {&a, &b, &c}) {
      arrays.emplace_back(sycl::malloc_shared<void*>(static_cast<std::size_t>(p.batch), queue),
                          [&](void** pointer) { sycl::free(pointer, queue); });
      // Backwards, so that distances do not explain a right result: all matrices the same way.
      for (std::int64_t i = 0; i < p.batch; ++i) arrays.back().get()[i] = matrix->device(p.batch - 1 - i);
    }
    const PointerArrays matrices{arrays[0].get(), arrays[1].get(), arrays[2].get()};
    gemm.multiply(given, matrices, extras).wait_and_throw();
  } else {
    const Operand<Side::A> left = line.packed_a ? Operand<Side::A>(gemm.pack_a(given, a.device())) : a.device();
    const Operand<Side::B> right = line.packed_b ? Operand<Side::B>(gemm.pack_b(given, b.device())) : b.device();
    gemm.multiply(given, left, right, c.device(), extras).wait_and_throw();
  }
  queue.wait_and_throw();
  if (a.from_device() != old_a) return "A was changed";
  if (b.from_device() != old_b) return "B was changed";
  return compare(line, Reference(line, a, b, c, chain), c, c.from_device());
}

}  // namespace xeforge::gemm
