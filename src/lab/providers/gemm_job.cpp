// SPDX-License-Identifier: Apache-2.0
#include "lab/providers/gemm_job.h"

#include <array>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <CLI/CLI.hpp>

namespace xeforge::lab::providers {

namespace {

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

}  // namespace

std::size_t size_of(Element element) {
  constexpr std::array<std::size_t, 4> kSizes{2, 2, 4, 1};
  return kSizes.at(static_cast<std::size_t>(element));
}

int helper_main(int argc, char** argv, const std::function<void(GemmJob&)>& multiply) {
  CLI::App app("Multiplies two matrices from files with a vendor's library. Started by 'xeforge bench'.");
  GemmJob job;
  std::string a, b, c;
  app.add_option("-m", job.m, "Rows of C")->required()->check(CLI::PositiveNumber);
  app.add_option("-n", job.n, "Columns of C")->required()->check(CLI::PositiveNumber);
  app.add_option("-k", job.k, "Length of the sums")->required()->check(CLI::PositiveNumber);
  app.add_option("--batch", job.batch, "Number of products")->check(CLI::PositiveNumber)->capture_default_str();
  const std::map<std::string, Element> names{
      {"bf16", Element::Bf16}, {"f16", Element::F16}, {"f32", Element::F32}, {"s8", Element::S8}};
  app.add_option("--element", job.element, "Type of A and B")->transform(CLI::CheckedTransformer(names));
  app.add_flag("--transpose-a", job.transpose_a, "A is stored as KxM");
  app.add_flag("--transpose-b", job.transpose_b, "B is stored as NxK");
  app.add_option("--alpha", job.alpha, "C = alpha * A * B + beta * C");
  app.add_option("--beta", job.beta, "See --alpha");
  app.add_option("a", a, "File of A")->required();
  app.add_option("b", b, "File of B")->required();
  app.add_option("c", c, "File of C, replaced by the result")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    job.a = read_elements(a, job.batch * job.m * job.k, size_of(job.element));
    job.b = read_elements(b, job.batch * job.k * job.n, size_of(job.element));
    job.c = read_elements(c, job.batch * job.m * job.n, sizeof(float));
    multiply(job);
    write_bytes(c, job.c);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace xeforge::lab::providers
