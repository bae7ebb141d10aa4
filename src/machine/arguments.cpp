// SPDX-License-Identifier: Apache-2.0
#include "machine/arguments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "machine/text.h"

namespace xeforge::machine {
namespace {

using binary::AddrMode;
using binary::AddrSpace;
using binary::ArgType;
using binary::PayloadArg;

constexpr std::string_view kCrossThreadOffset = "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0";
/// Surfaces of buffers are described in units of 4 bytes (compute-runtime kernel_hw.h): the last dword of
/// an odd size is accessible as a whole.
constexpr uint64_t kSurfaceGranularity = 4;
/// Zeroed memory for group barriers over the whole device; one dword per group and at least 12 bytes
/// (compute-runtime sync_buffer_handler, KernelHelper::getSyncBufferSize).
constexpr uint64_t kMinSyncBuffer = 12;

[[noreturn]] void invalid(std::string message) { raise_fault(FaultKind::InvalidLaunch, 0, -1, std::move(message)); }

uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

std::string argument_name(const binary::Kernel& kernel, int32_t index) {
  std::string name = "argument " + std::to_string(index);
  if (index >= 0 && static_cast<size_t>(index) < kernel.arguments.size()) {
    const std::string& source_name = kernel.arguments[static_cast<size_t>(index)].name;
    if (!source_name.empty()) name += " ('" + source_name + "')";
  }
  return name;
}

/// Compute-runtime's ImplicitArgsV0, as the compiler's built-ins read it.
struct ImplicitArgs {
  uint8_t struct_size, struct_version, work_dimensions, simd_width;
  uint32_t local_size[3];
  uint64_t global_size[3];
  uint64_t printf_buffer;
  uint64_t global_offset[3];
  uint64_t local_id_table;
  uint32_t group_count[3];
  uint32_t padding;
  uint64_t ray_tracing_buffer, assert_buffer;
};
static_assert(sizeof(ImplicitArgs) == 112);
static_assert(offsetof(ImplicitArgs, local_id_table) == kLocalIdTablePointer);
constexpr uint32_t kImplicitArgsBlock = 128;

class Filler {
 public:
  Filler(const Launch& launch, LaunchContext& context, ArgumentBlock& out)
      : launch_(launch), kernel_(launch.kernel->binary), context_(context), out_(out) {}

  void fill();

  void by_value(const PayloadArg& arg);
  void by_pointer(const PayloadArg& arg);
  void buffer_address(const PayloadArg& arg) { put_pointer(arg, pointer_of(arg)); }
  void buffer_offset(const PayloadArg& arg);
  void buffer_size(const PayloadArg& arg);
  void local_size(const PayloadArg& arg) { put_vector(arg, launch_.local); }
  void global_size(const PayloadArg& arg);
  void group_count(const PayloadArg& arg) { put_vector(arg, launch_.groups); }
  void global_id_offset(const PayloadArg& arg);
  void work_dimensions(const PayloadArg& arg) { put_number(arg, work_dimensions()); }
  void private_base(const PayloadArg& arg);
  void const_base(const PayloadArg& arg) { data_base(arg, launch_.const_base, "constant data"); }
  void global_base(const PayloadArg& arg) { data_base(arg, launch_.global_base, "global variables"); }
  void printf_buffer(const PayloadArg& arg);
  void sync_buffer(const PayloadArg& arg);
  void implicit_arg_buffer(const PayloadArg& arg) { out_.implicit_args_places.push_back(&arg); }
  void unsupported(const PayloadArg& arg);

 private:
  const ArgumentValue& value_of(const PayloadArg& arg) const;
  uint64_t pointer_of(const PayloadArg& arg) const;
  void put(const PayloadArg& arg, const void* bytes, size_t size);
  void put_number(const PayloadArg& arg, uint64_t number);
  void put_pointer(const PayloadArg& arg, uint64_t pointer) { put_number(arg, pointer); }
  void put_vector(const PayloadArg& arg, const std::array<uint32_t, 3>& v);
  /// Surface of a pointer argument: the whole allocation where the code adds a buffer offset itself.
  Surface surface_of(int32_t arg_index, uint64_t pointer) const;
  bool has_buffer_offset(int32_t arg_index) const;
  void bind_bindless(const PayloadArg& arg, Surface surface);
  void data_base(const PayloadArg& arg, uint64_t base, const char* what);
  void place_slm();
  void bind_table();
  void fill_implicit_args();
  const HostBlock& own(size_t bytes, std::string label);
  uint32_t work_dimensions() const;

  const Launch& launch_;
  const binary::Kernel& kernel_;
  LaunchContext& context_;
  ArgumentBlock& out_;
};

struct Rule {
  ArgType type;
  void (Filler::*fill)(const PayloadArg&);
};
constexpr Rule kRules[] = {
    {ArgType::ByPointer, &Filler::by_pointer},
    {ArgType::ByValue, &Filler::by_value},
    {ArgType::LocalSize, &Filler::local_size},
    {ArgType::EnqueuedLocalSize, &Filler::local_size},
    {ArgType::GlobalSize, &Filler::global_size},
    {ArgType::GroupCount, &Filler::group_count},
    {ArgType::GlobalIdOffset, &Filler::global_id_offset},
    {ArgType::WorkDimensions, &Filler::work_dimensions},
    {ArgType::PrivateBase, &Filler::private_base},
    {ArgType::ConstBase, &Filler::const_base},
    {ArgType::GlobalBase, &Filler::global_base},
    {ArgType::PrintfBuffer, &Filler::printf_buffer},
    {ArgType::SyncBuffer, &Filler::sync_buffer},
    {ArgType::BufferOffset, &Filler::buffer_offset},
    {ArgType::BufferAddress, &Filler::buffer_address},
    {ArgType::BufferSize, &Filler::buffer_size},
    {ArgType::ImplicitArgBuffer, &Filler::implicit_arg_buffer},
};

void Filler::fill() {
  out_.cross_thread.resize(kernel_.cross_thread_size());
  place_slm();
  for (const PayloadArg& arg : kernel_.payload) {
    const auto* rule = std::find_if(std::begin(kRules), std::end(kRules),
                                    [&](const Rule& candidate) { return candidate.type == arg.type; });
    if (rule == std::end(kRules)) {
      unsupported(arg);
    } else {
      (this->*rule->fill)(arg);
    }
  }
  bind_table();
  fill_implicit_args();
}

void Filler::unsupported(const PayloadArg& arg) {
  invalid("the kernel wants a '" + arg.type_name + "' argument (" + std::to_string(arg.size) + " bytes at offset " +
          std::to_string(arg.offset) + "), which this machine does not provide");
}

const ArgumentValue& Filler::value_of(const PayloadArg& arg) const {
  const auto index = static_cast<size_t>(arg.arg_index);
  if (arg.arg_index < 0 || index >= launch_.arguments.size() ||
      launch_.arguments[index].kind == ArgumentValue::Kind::Unset) {
    invalid(argument_name(kernel_, arg.arg_index) + " of type " + arg.type_name + " was never set");
  }
  return launch_.arguments[index];
}

uint64_t Filler::pointer_of(const PayloadArg& arg) const {
  const ArgumentValue& value = value_of(arg);
  if (value.kind == ArgumentValue::Kind::Pointer) return value.pointer;
  if (value.kind == ArgumentValue::Kind::Bytes && value.bytes.size() == sizeof(uint64_t)) {
    uint64_t pointer = 0;
    std::memcpy(&pointer, value.bytes.data(), sizeof pointer);
    return pointer;
  }
  invalid(argument_name(kernel_, arg.arg_index) + " is a pointer, but was set to " +
          (value.kind == ArgumentValue::Kind::Slm ? "a size of local memory"
                                                  : std::to_string(value.bytes.size()) + " bytes"));
}

void Filler::put(const PayloadArg& arg, const void* bytes, size_t size) {
  if (size > arg.size || arg.offset > out_.cross_thread.size() || arg.size > out_.cross_thread.size() - arg.offset)
    invalid("payload entry '" + arg.type_name + "' of " + std::to_string(arg.size) + " bytes at offset " +
            std::to_string(arg.offset) + " cannot hold its value");
  std::memcpy(out_.cross_thread.data() + arg.offset, bytes, size);
}

void Filler::put_number(const PayloadArg& arg, uint64_t number) {
  if (arg.size == 0) return;  // a purely stateful pointer has a surface only
  if (arg.size < sizeof number && (number >> (8 * arg.size)) != 0)
    invalid("payload entry '" + arg.type_name + "' has " + std::to_string(arg.size) + " bytes, too few for " +
            hex(number));
  put(arg, &number, std::min<size_t>(arg.size, sizeof number));
}

void Filler::put_vector(const PayloadArg& arg, const std::array<uint32_t, 3>& v) {
  if (arg.size != 4 && arg.size != 8 && arg.size != 12)
    invalid("payload entry '" + arg.type_name + "' has " + std::to_string(arg.size) + " bytes instead of 4, 8 or 12");
  put(arg, v.data(), arg.size);
}

void Filler::by_value(const PayloadArg& arg) {
  const ArgumentValue& value = value_of(arg);
  const size_t source = arg.source_offset < 0 ? 0 : static_cast<size_t>(arg.source_offset);
  if (value.kind == ArgumentValue::Kind::Pointer && source == 0) {
    put_number(arg, value.pointer);
    return;
  }
  if (value.kind != ArgumentValue::Kind::Bytes)
    invalid(argument_name(kernel_, arg.arg_index) + " is passed by value, but was set to local memory");
  if (source > value.bytes.size() || arg.size > value.bytes.size() - source)
    invalid(argument_name(kernel_, arg.arg_index) + " was set to " + std::to_string(value.bytes.size()) +
            " bytes; the kernel reads " + std::to_string(arg.size) + " bytes at offset " + std::to_string(source));
  put(arg, value.bytes.data() + source, arg.size);
}

void Filler::by_pointer(const PayloadArg& arg) {
  if (arg.addrspace == AddrSpace::Image || arg.addrspace == AddrSpace::Sampler)
    invalid(argument_name(kernel_, arg.arg_index) + " is an image or a sampler: this machine has none");
  switch (arg.addrmode) {
    case AddrMode::Slm:
      return;  // place_slm
    case AddrMode::Stateful:
      pointer_of(arg);  // its surface comes with the binding table; a value there must be, though
      if (arg.size != 0) put_pointer(arg, pointer_of(arg));
      return;
    case AddrMode::Bindless:
      bind_bindless(arg, surface_of(arg.arg_index, pointer_of(arg)));
      return;
    case AddrMode::Stateless:
      put_pointer(arg, pointer_of(arg));
      return;
    case AddrMode::None:
      break;
  }
  invalid(argument_name(kernel_, arg.arg_index) + ": the binary does not say how the pointer is addressed");
}

bool Filler::has_buffer_offset(int32_t arg_index) const {
  return std::any_of(kernel_.payload.begin(), kernel_.payload.end(), [&](const PayloadArg& arg) {
    return arg.type == ArgType::BufferOffset && arg.arg_index == arg_index;
  });
}

Surface Filler::surface_of(int32_t arg_index, uint64_t pointer) const {
  if (pointer == 0) return {};
  const Allocation* allocation = launch_.memory == nullptr ? nullptr : launch_.memory->find(pointer);
  if (allocation == nullptr) {
    invalid(argument_name(kernel_, arg_index) + " is " + hex(pointer) +
            ", which lies in no allocation of this device: the kernel reaches it through a surface, so it has to");
  }
  Surface surface;
  surface.base = has_buffer_offset(arg_index) ? allocation->base : pointer;
  surface.size = align_up(allocation->base + allocation->size - surface.base, kSurfaceGranularity);
  return surface;
}

void Filler::buffer_offset(const PayloadArg& arg) {
  const uint64_t pointer = pointer_of(arg);
  // Stateless kernels carry an unused offset too, for pointers that need not be in any allocation.
  const Allocation* allocation = launch_.memory == nullptr ? nullptr : launch_.memory->find(pointer);
  put_number(arg, allocation == nullptr ? 0 : pointer - allocation->base);
}

void Filler::buffer_size(const PayloadArg& arg) {
  const ArgumentValue& value = value_of(arg);
  if (value.kind == ArgumentValue::Kind::Slm) {
    put_number(arg, value.slm_bytes);
    return;
  }
  const uint64_t pointer = pointer_of(arg);
  const Allocation* allocation = launch_.memory == nullptr ? nullptr : launch_.memory->find(pointer);
  put_number(arg, allocation == nullptr ? 0 : allocation->base + allocation->size - pointer);
}

void Filler::bind_bindless(const PayloadArg& arg, Surface surface) {
  context_.bindless.push_back(surface);
  put_number(arg, context_.bindless.size() << 6);  // (index + 1) << 6
}

void Filler::global_size(const PayloadArg& arg) {
  std::array<uint32_t, 3> size{};
  for (unsigned d = 0; d < 3; ++d) size[d] = launch_.groups[d] * launch_.local[d];
  put_vector(arg, size);
}

void Filler::global_id_offset(const PayloadArg& arg) {
  std::array<uint32_t, 3> offset{};
  for (unsigned d = 0; d < 3; ++d) {
    if (launch_.global_offset[d] > UINT32_MAX)
      invalid("global offset " + std::to_string(launch_.global_offset[d]) + " does not fit into 32 bits");
    offset[d] = static_cast<uint32_t>(launch_.global_offset[d]);
  }
  put_vector(arg, offset);
}

// Level Zero has no work dimension of its own: the driver derives it (compute-runtime KernelImp::setGroupCount).
uint32_t Filler::work_dimensions() const {
  if (uint64_t{launch_.groups[2]} * launch_.local[2] > 1) return 3;
  return uint64_t{launch_.groups[1]} * launch_.local[1] > 1 ? 2 : 1;
}

const HostBlock& Filler::own(size_t bytes, std::string label) {
  HostBlock& block = out_.blocks.emplace_back(bytes);
  Allocation allocation;
  allocation.base = block.address();
  allocation.size = bytes;
  allocation.kind = MemoryKind::Internal;
  allocation.label = std::move(label);
  out_.allocations.push_back(std::move(allocation));
  return block;
}

void Filler::private_base(const PayloadArg& arg) {
  const device::Device& device = *launch_.kernel->device;
  const uint64_t per_thread = kernel_.private_bytes_per_thread();
  // The vector compiler asks for the address in every kernel, whether there is private memory or not.
  if (per_thread == 0) {
    put_pointer(arg, 0);
    return;
  }
  // The kernel adds its hardware thread number times the bytes per thread: every thread slot of the device
  // has a place; those never used are never touched.
  const uint64_t threads = uint64_t{device.xe_cores()} * device.threads_per_core();
  const HostBlock& block =
      own(per_thread * threads, "private memory of the kernel (" + std::to_string(per_thread) + " bytes per thread)");
  put_pointer(arg, block.address());
}

void Filler::data_base(const PayloadArg& arg, uint64_t base, const char* what) {
  if (base == 0)
    invalid("the kernel uses its module's " + std::string(what) + ", but the launch does not say where they are");
  Surface surface;
  if (arg.addrmode == AddrMode::Bindless || arg.bti >= 0) {
    const Allocation* allocation = launch_.memory == nullptr ? nullptr : launch_.memory->find(base);
    if (allocation == nullptr)
      invalid("the module's " + std::string(what) + " at " + hex(base) + " lie in no allocation");
    surface = {base, align_up(allocation->base + allocation->size - base, kSurfaceGranularity)};
  }
  if (arg.addrmode == AddrMode::Bindless) {
    bind_bindless(arg, surface);
    return;
  }
  if (arg.bti >= 0) context_.bti.at(static_cast<size_t>(arg.bti)) = surface;
  put_pointer(arg, base);
}

void Filler::printf_buffer(const PayloadArg& arg) {
  if (launch_.printf_buffer == 0) invalid("the kernel uses printf, but the launch has no buffer for it");
  put_pointer(arg, launch_.printf_buffer);
}

void Filler::sync_buffer(const PayloadArg& arg) {
  const uint64_t groups = uint64_t{launch_.groups[0]} * launch_.groups[1] * launch_.groups[2];
  put_pointer(arg, own(std::max(4 * groups, kMinSyncBuffer), "device-wide barrier of the kernel").address());
}

/// Offsets of dynamic local memory begin at 0: the code itself adds the size of its static part (IGC leaves the first
/// argument out of the payload altogether and adds `slm_size` to every other one; seen in dpctl's radix sort).
void Filler::place_slm() {
  uint64_t next = 0, largest_alignment = 1;
  std::vector<const PayloadArg*> slm;
  for (const PayloadArg& arg : kernel_.payload) {
    if (arg.type == ArgType::ByPointer && arg.addrmode == AddrMode::Slm) slm.push_back(&arg);
  }
  std::stable_sort(slm.begin(), slm.end(),
                   [](const PayloadArg* a, const PayloadArg* b) { return a->arg_index < b->arg_index; });
  for (const PayloadArg* arg : slm) {
    const ArgumentValue& value = value_of(*arg);
    if (value.kind != ArgumentValue::Kind::Slm)
      invalid(argument_name(kernel_, arg->arg_index) + " is local memory: it needs a size, not a value");
    const uint64_t alignment = std::max(arg->slm_alignment, 1u);
    largest_alignment = std::max(largest_alignment, alignment);
    next = align_up(next, alignment);
    put_number(*arg, next);
    next += value.slm_bytes;
  }
  next += align_up(kernel_.slm_size, largest_alignment);
  const unsigned limit = launch_.kernel->device->slm_per_group;
  if (next > limit)
    invalid("a group needs " + std::to_string(next) + " bytes of shared local memory (" +
            std::to_string(kernel_.slm_size) + " static), " + launch_.kernel->device->name + " has " +
            std::to_string(limit) + " per group");
  context_.slm_bytes = static_cast<uint32_t>(next);
}

void Filler::bind_table() {
  for (const binary::BindingTableEntry& entry : kernel_.binding_table) {
    if (entry.bti >= context_.bti.size())
      invalid("binding table index " + std::to_string(entry.bti) + " of " + argument_name(kernel_, entry.arg_index) +
              " is out of range");
    const auto arg = std::find_if(kernel_.payload.begin(), kernel_.payload.end(), [&](const PayloadArg& candidate) {
      return candidate.type == ArgType::ByPointer && candidate.arg_index == entry.arg_index;
    });
    PayloadArg described;
    described.arg_index = entry.arg_index;
    described.type_name = "arg_bypointer";
    Surface surface = surface_of(entry.arg_index, pointer_of(arg == kernel_.payload.end() ? described : *arg));
    // Kernels of ngen load whole blocks at the end of a matrix, and of a single scale, and rely on what the hardware
    // does.
    surface.report_out_of_bounds = kernel_.from_compiler;
    context_.bti[entry.bti] = surface;
  }
}

void Filler::fill_implicit_args() {
  if (implicit_args_bytes(kernel_) == 0) return;
  ImplicitArgs args{};
  args.struct_size = sizeof args;
  args.work_dimensions = static_cast<uint8_t>(work_dimensions());
  args.simd_width = static_cast<uint8_t>(kernel_.simd_size);
  for (unsigned d = 0; d < 3; ++d) {
    args.local_size[d] = launch_.local[d];
    args.global_size[d] = uint64_t{launch_.groups[d]} * launch_.local[d];
    args.global_offset[d] = launch_.global_offset[d];
    args.group_count[d] = launch_.groups[d];
  }
  args.printf_buffer = launch_.printf_buffer;
  out_.implicit_args.resize(kImplicitArgsBlock);
  std::memcpy(out_.implicit_args.data(), &args, sizeof args);
}

}  // namespace

uint32_t implicit_args_bytes(const binary::Kernel& kernel) {
  const bool asked_for = kernel.requires_implicit_args ||
                         std::any_of(kernel.payload.begin(), kernel.payload.end(),
                                     [](const PayloadArg& arg) { return arg.type == ArgType::ImplicitArgBuffer; });
  const bool called_functions_may =
      kernel.has_stack_calls &&
      std::any_of(kernel.relocations.begin(), kernel.relocations.end(),
                  [](const binary::Relocation& relocation) { return relocation.symbol == kCrossThreadOffset; });
  return asked_for || called_functions_may ? kImplicitArgsBlock : 0;
}

ArgumentBlock fill_arguments(const Launch& launch, LaunchContext& context) {
  ArgumentBlock block;
  Filler(launch, context, block).fill();
  return block;
}

}  // namespace xeforge::machine
