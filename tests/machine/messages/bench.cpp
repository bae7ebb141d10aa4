// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

namespace xeforge::machine::test {

Bench::Bench(const std::string& device_id) : device_(device::find_device(device_id)) {
  kernel_->name = "test";
  kernel_->device = &device_;
  launch_.kernel = kernel_;
  context_.launch = &launch_;
  context_.options = &options_;
  worker_.context = &context_;
  worker_.observer = &footprint_check_;

  auto t = std::make_unique<Thread>();
  std::memset(t->regs.data(), 0x7F, regspace::kAddress);
  std::memset(t->regs.data() + regspace::kAddress, 0, regspace::kBytes - regspace::kAddress);
  t->acc64.fill(0);
  t->wait_pc.fill(0);
  t->exec_mask = 0xFFFFFFFFu;
  t->dispatch_mask = 0xFFFFFFFFu;
  t->group = &group_;
  t->worker = &worker_;
  group_.threads.push_back(std::move(t));
  refresh_memory();
}

void Bench::refresh_memory() {
  launch_.memory = map_.snapshot();
  worker_.memory = launch_.memory.get();
  worker_.hits = {};
}

std::byte* Bench::allocate(size_t bytes) {
  constexpr size_t kGuard = 256, kAlign = 64;
  blocks_.push_back(std::make_unique<std::byte[]>(bytes + 2 * kGuard + kAlign));
  std::byte* raw = blocks_.back().get();
  std::memset(raw, 0xEE, bytes + 2 * kGuard + kAlign);
  std::byte* base = raw + kGuard;
  base += (kAlign - address_of(base) % kAlign) % kAlign;
  add_memory(base, bytes);
  return base;
}

void Bench::add_memory(void* base, size_t bytes) {
  map_.add(address_of(base), bytes, MemoryKind::Device);
  refresh_memory();
}

uint32_t Bench::add_surface(const void* base, uint64_t bytes, bool report) {
  Surface s;
  s.base = address_of(base);
  s.size = bytes;
  s.report_out_of_bounds = report;
  context_.bindless.push_back(s);
  return static_cast<uint32_t>(context_.bindless.size()) << 6;
}

void Bench::bind(unsigned bti, const void* base, uint64_t bytes, bool report) {
  Surface& s = context_.bti[bti];
  s.base = address_of(base);
  s.size = bytes;
  s.report_out_of_bounds = report;
}

std::shared_ptr<const Code> Bench::translate_text(const std::string& text) const {
  const std::string whole = text + "\n(W) send.gtwy (1|M0) null r112 null 0x0 0x02000010 {EOT}\n";
  const std::vector<std::byte> bytes = isa::assemble(device_.platform, whole);
  auto program = std::make_shared<const isa::Program>(isa::decode(device_.platform, bytes));
  return translate(program, device_, 128);
}

std::optional<FaultException> Bench::run(const std::string& text) {
  const std::shared_ptr<const Code> code = translate_text(text);
  context_.code = code.get();
  worker_.block_counts.assign(code->blocks.size(), 0);
  Thread& t = thread();
  t.next = 0;
  t.status = ThreadStatus::Ready;
  t.budget = 1'000'000;
  std::optional<FaultException> fault;
  try {
    run_thread(*code, t);
  } catch (const FaultException& e) {
    fault = e;
  }
  context_.code = nullptr;
  return fault;
}

void Bench::run_ok(const std::string& text) {
  const auto fault = run(text);
  ASSERT_FALSE(fault.has_value()) << text << "\n" << fault->message;
  ASSERT_EQ(thread().status, ThreadStatus::Finished) << text;
}

FaultException Bench::run_fault(const std::string& text) {
  auto fault = run(text);
  if (!fault.has_value()) {
    ADD_FAILURE() << "no fault: " << text;
    return {FaultKind::InvalidLaunch, 0, -1, "no fault"};
  }
  return *fault;
}

void run_pair(Bench& even, Bench& odd, const std::string& text) {
  const std::shared_ptr<const Code> code = even.translate_text(text);
  for (Bench* b : {&even, &odd}) {
    b->context().code = code.get();
    b->thread().worker->block_counts.assign(code->blocks.size(), 0);
    b->thread().next = 0;
    b->thread().budget = 100;
    b->thread().status = ThreadStatus::Ready;
    run_thread(*code, b->thread());
    ASSERT_EQ(b->thread().status, ThreadStatus::AtPair);
  }
  run_dpasw_pair(*code, even.thread(), odd.thread());
  for (Bench* b : {&even, &odd}) b->context().code = nullptr;
}

void fill_pattern(std::byte* memory, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) memory[i] = static_cast<std::byte>(i % 251);
}

}  // namespace xeforge::machine::test
