// SPDX-License-Identifier: Apache-2.0
#include "lab/providers/gemm_job.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>
#include <sys/resource.h>
#include <unistd.h>

namespace xeforge::lab::providers {

namespace {

struct Files {
  std::string a, b, c;
};

std::vector<std::byte> read_elements(const std::string& file, std::int64_t count, std::size_t size) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in || in.peek() != std::ifstream::traits_type::eof()) {
    throw std::runtime_error(file + " does not hold exactly " + std::to_string(bytes.size()) + " bytes");
  }
  return bytes;
}

void write_bytes(const std::string& file, const std::vector<std::byte>& bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file);
}

void describe(CLI::App& app, GemmJob& job, Files& files) {
  std::map<std::string, Element> names;
  for (const ElementRow& row : kElements) names.emplace(row.name, row.element);
  app.add_option("-m", job.m, "Rows of C")->required()->check(CLI::PositiveNumber);
  app.add_option("-n", job.n, "Columns of C")->required()->check(CLI::PositiveNumber);
  app.add_option("-k", job.k, "Length of the sums")->required()->check(CLI::PositiveNumber);
  app.add_option("--batch", job.batch, "Number of products")->check(CLI::PositiveNumber);
  app.add_option("--element-a", job.element_a, "Type of A")->transform(CLI::CheckedTransformer(names));
  app.add_option("--element-b", job.element_b, "Type of B")->transform(CLI::CheckedTransformer(names));
  app.add_option("--element-c", job.element_c, "Type of C unless A and B are integers")
      ->transform(CLI::CheckedTransformer(names));
  app.add_flag("--no-data", job.no_data, "Operands are zeros, the result is left: no files");
  app.add_flag("--transpose-a", job.transpose_a, "A is stored as KxM");
  app.add_flag("--transpose-b", job.transpose_b, "B is stored as NxK");
  app.add_flag("--column-major", job.column_major, "All matrices are stored by columns");
  app.add_option("--alpha", job.alpha, "C = alpha * A * B + beta * C");
  app.add_option("--beta", job.beta, "See --alpha");
  app.add_option("a", files.a, "File of A");
  app.add_option("b", files.b, "File of B");
  app.add_option("c", files.c, "File of C, replaced by the result");
}

void perform(GemmJob& job, const Files& files, const std::function<void(GemmJob&)>& multiply) {
  if (job.integer() && job.element_c != Element::F32) throw Unsupported("C of integer operands is int32");
  if (job.no_data == !files.c.empty()) throw std::runtime_error("either the files of A, B and C or --no-data");
  const auto operand = [&](const std::string& file, std::int64_t elements, std::size_t size) {
    if (job.no_data) return std::vector<std::byte>(static_cast<std::size_t>(elements) * size);
    return read_elements(file, elements, size);
  };
  job.a = operand(files.a, job.batch * job.m * job.k, row_of(job.element_a).bytes);
  job.b = operand(files.b, job.batch * job.k * job.n, row_of(job.element_b).bytes);
  job.c = operand(files.c, job.batch * job.m * job.n, job.bytes_of_c());
  multiply(job);
  if (job.no_data) return;
  write_bytes(files.c, job.c);
}

double user_seconds() {
  double seconds = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(whose, &usage);
    seconds += static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
  }
  return seconds;
}

int one_job(int argc, char** argv, const std::function<void(GemmJob&)>& multiply) {
  CLI::App app("Multiplies matrices from files with a vendor's library. Started by 'xeforge bench'.");
  GemmJob job;
  Files files;
  describe(app, job, files);
  CLI11_PARSE(app, argc, argv);
  try {
    perform(job, files, multiply);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    return 1;
  }
}

std::string answer(const std::string& line, const std::function<void(GemmJob&)>& multiply) {
  std::string text;
  try {
    CLI::App app;
    GemmJob job;
    Files files;
    describe(app, job, files);
    app.parse(line);
    perform(job, files, multiply);
    return {};
  } catch (const Unsupported& error) {
    text = std::string("cannot ") + error.what();
  } catch (const std::exception& error) {
    text = std::string("error ") + error.what();
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

int jobs_of_stdin(const std::function<void(GemmJob&)>& multiply) {
  // What the libraries print must not look like an answer.
  const int answers = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  double last = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::string text = answer(line, multiply);
    const double now = user_seconds();
    if (text.empty()) text = "ok " + std::to_string(now - last);
    last = now;
    text += '\n';
    if (::write(answers, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return 1;
  }
  return 0;
}

}  // namespace

int helper_main(int argc, char** argv, const std::string& version, const std::function<void(GemmJob&)>& multiply) {
  if (argc == 2 && std::string(argv[1]) == "--library-version") {
    std::cout << version << '\n';
    return 0;
  }
  return argc > 1 ? one_job(argc, argv, multiply) : jobs_of_stdin(multiply);
}

}  // namespace xeforge::lab::providers
