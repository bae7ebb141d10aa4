// SPDX-License-Identifier: Apache-2.0
//
// A product by oneDNN's matmul primitive.
#include <oneapi/dnnl/dnnl.hpp>
#include <oneapi/dnnl/dnnl_sycl.hpp>

#include "lab/providers/device_copy.h"
#include "lab/providers/gemm_job.h"

namespace {

using namespace xeforge::lab::providers;
using dnnl::memory;
using xeforge::lab::Element;

memory::data_type type_of(Element element) {
  constexpr std::array kTypes{memory::data_type::bf16, memory::data_type::f16, memory::data_type::f32,
                              memory::data_type::s8, memory::data_type::u8};
  return kTypes.at(static_cast<std::size_t>(element));
}

/// `stored_transposed`: as its transpose, by rows.
memory::desc matrix(std::int64_t batch, std::int64_t rows, std::int64_t columns, memory::data_type type,
                    bool stored_transposed) {
  const memory::dims inner = stored_transposed ? memory::dims{1, rows} : memory::dims{columns, 1};
  if (batch == 1) return {{rows, columns}, type, inner};
  return {{batch, rows, columns}, type, {rows * columns, inner[0], inner[1]}};
}

dnnl::matmul::primitive_desc describe(const dnnl::engine& engine, const memory::desc& a, const memory::desc& b,
                                      const memory::desc& c, const dnnl::primitive_attr& attributes) {
  try {
    return {engine, a, b, c, attributes};
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_unimplemented) throw Unsupported(error.what());
    throw;
  }
}

void multiply(GemmJob& job) {
  static sycl::queue queue = gpu_queue();
  static const dnnl::engine engine = dnnl::sycl_interop::make_engine(queue.get_device(), queue.get_context());
  static dnnl::stream stream = dnnl::sycl_interop::make_stream(engine, queue);
  // By columns means: each matrix as its transpose, by rows.
  const memory::desc a = matrix(job.batch, job.m, job.k, type_of(job.element_a), job.transpose_a != job.column_major);
  const memory::desc b = matrix(job.batch, job.k, job.n, type_of(job.element_b), job.transpose_b != job.column_major);
  const memory::desc c = matrix(job.batch, job.m, job.n,
                                job.integer() ? memory::data_type::s32 : type_of(job.element_c), job.column_major);

  // alpha is a scale of A, beta a sum with what C holds.
  dnnl::primitive_attr attributes;
  if (job.alpha != 1) attributes.set_scales_mask(DNNL_ARG_SRC, 0);
  if (job.beta != 0) {
    dnnl::post_ops operations;
    operations.append_sum(job.beta);
    attributes.set_post_ops(operations);
  }
  const dnnl::matmul primitive(describe(engine, a, b, c, attributes));

  DeviceCopy device_a(queue, job.a), device_b(queue, job.b), device_c(queue, job.c),
      scale(queue, &job.alpha, sizeof job.alpha);
  const auto bind = [&](const memory::desc& desc, const DeviceCopy& copy) {
    return dnnl::sycl_interop::make_memory(desc, engine, dnnl::sycl_interop::memory_kind::usm, copy.data());
  };
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, bind(a, device_a)}, {DNNL_ARG_WEIGHTS, bind(b, device_b)}, {DNNL_ARG_DST, bind(c, device_c)}};
  if (job.alpha != 1) {
    arguments.emplace(DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC, bind({{1}, memory::data_type::f32, memory::dims{1}}, scale));
  }
  primitive.execute(stream, arguments);
  stream.wait();
  queue.wait_and_throw();
  device_c.read(job.c);
}

}  // namespace

int main(int argc, char** argv) {
  const dnnl_version_t& v = *dnnl::version();
  return helper_main(argc, argv,
                     std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch), multiply);
}
