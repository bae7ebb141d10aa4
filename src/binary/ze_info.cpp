// SPDX-License-Identifier: Apache-2.0
#include "binary/ze_info.h"

#include <algorithm>
#include <charconv>

#include "binary/ze_info_field.h"

namespace xeforge::binary {
namespace {

// Bounds that keep a damaged file from asking for absurd memory later; real values are far below.
constexpr uint32_t kMaxArguments = 4095;         // a kernel's arguments fill 2048 bytes at most
constexpr uint32_t kMaxPayloadBytes = 1u << 20;  // the driver keeps cross-thread sizes in 16 bits
constexpr uint32_t kMaxSlmBytes = 1u << 24;
constexpr uint32_t kMaxPerThreadMemory = 1u << 30;

template <typename Value>
struct Name {
  std::string_view name;
  Value value;
};

template <typename Value, size_t N>
const Value* lookup(const Name<Value> (&table)[N], std::string_view name) {
  for (const auto& row : table) {
    if (row.name == name) return &row.value;
  }
  return nullptr;
}

constexpr Name<ArgType> kArgTypes[] = {
    {"arg_bypointer", ArgType::ByPointer},
    {"arg_byvalue", ArgType::ByValue},
    {"local_size", ArgType::LocalSize},
    {"enqueued_local_size", ArgType::EnqueuedLocalSize},
    {"global_size", ArgType::GlobalSize},
    {"group_count", ArgType::GroupCount},
    {"global_id_offset", ArgType::GlobalIdOffset},
    {"work_dimensions", ArgType::WorkDimensions},
    {"local_id", ArgType::LocalId},
    {"packed_local_ids", ArgType::PackedLocalIds},
    {"private_base_stateless", ArgType::PrivateBase},
    {"scratch_pointer", ArgType::ScratchPointer},
    {"const_base", ArgType::ConstBase},
    {"global_base", ArgType::GlobalBase},
    {"printf_buffer", ArgType::PrintfBuffer},
    {"assert_buffer", ArgType::AssertBuffer},
    {"sync_buffer", ArgType::SyncBuffer},
    {"buffer_offset", ArgType::BufferOffset},
    {"buffer_address", ArgType::BufferAddress},
    {"buffer_size", ArgType::BufferSize},
    {"indirect_data_pointer", ArgType::IndirectDataPointer},
    {"implicit_arg_buffer", ArgType::ImplicitArgBuffer},
    {"region_group_size", ArgType::RegionGroupSize},
};

constexpr Name<AddrMode> kAddrModes[] = {{"stateless", AddrMode::Stateless},
                                         {"stateful", AddrMode::Stateful},
                                         {"bindless", AddrMode::Bindless},
                                         {"slm", AddrMode::Slm}};

constexpr Name<AddrSpace> kAddrSpaces[] = {{"global", AddrSpace::Global},
                                           {"local", AddrSpace::Local},
                                           {"constant", AddrSpace::Constant},
                                           {"image", AddrSpace::Image},
                                           {"sampler", AddrSpace::Sampler}};

constexpr Name<Access> kAccesses[] = {
    {"readonly", Access::ReadOnly}, {"writeonly", Access::WriteOnly}, {"readwrite", Access::ReadWrite}};

template <typename Value, size_t N>
Value enumerator(const Name<Value> (&table)[N], const Field& field) {
  const std::string name = field.text();
  if (const Value* value = lookup(table, name)) return *value;
  field.fail("is '" + name + "', which is not known");
}

std::optional<std::array<uint32_t, 3>> size_triple(const Field& field) {
  const auto value = field.triple();
  if (value == std::array<uint32_t, 3>{0, 0, 0}) return std::nullopt;  // the default: not required
  if (std::count(value.begin(), value.end(), 0u) != 0) field.fail("has a size of 0");
  return value;
}

/// Compilers write only the dimensions whose ids they use and pad with zeros ([0,0,0] from the vector
/// compiler, [0,1,0]): what is missing follows in ascending order, so that readers always get a permutation.
std::array<uint8_t, 3> walk_order(const Field& field) {
  const auto value = field.triple();
  if (std::any_of(value.begin(), value.end(), [](uint32_t dimension) { return dimension > 2; }))
    field.fail("has a dimension above 2");
  std::array<uint8_t, 3> order{};
  size_t count = 0;
  const auto append = [&](uint32_t dimension) {
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(order.begin(), end, dimension) == end) order[count++] = static_cast<uint8_t>(dimension);
  };
  for (const uint32_t dimension : value) append(dimension);
  for (uint32_t dimension = 0; dimension < 3; ++dimension) append(dimension);
  return order;
}

constexpr Key<PayloadArg> kPayloadKeys[] = {
    {"arg_type",
     [](PayloadArg& a, const Field& f) {
       a.type_name = f.text();
       const ArgType* type = lookup(kArgTypes, a.type_name);
       a.type = type != nullptr ? *type : ArgType::Unsupported;
       if (type == nullptr)
         f.warnings.add("argument type '" + a.type_name +
                        "' is not supported: kernels that have it cannot be launched");
     }},
    {"offset", [](PayloadArg& a, const Field& f) { a.offset = f.count(kMaxPayloadBytes); }},
    {"size", [](PayloadArg& a, const Field& f) { a.size = f.count(kMaxPayloadBytes); }},
    {"arg_index",
     [](PayloadArg& a, const Field& f) { a.arg_index = static_cast<int32_t>(f.integer(-1, kMaxArguments)); }},
    {"source_offset",
     [](PayloadArg& a, const Field& f) { a.source_offset = static_cast<int32_t>(f.integer(-1, kMaxPayloadBytes)); }},
    {"addrmode", [](PayloadArg& a, const Field& f) { a.addrmode = enumerator(kAddrModes, f); }},
    {"addrspace", [](PayloadArg& a, const Field& f) { a.addrspace = enumerator(kAddrSpaces, f); }},
    {"access_type", [](PayloadArg& a, const Field& f) { a.access = enumerator(kAccesses, f); }},
    {"is_pipe", [](PayloadArg& a, const Field& f) { a.is_pipe_or_unknown = f.flag(); }},
    {"is_ptr", [](PayloadArg& a, const Field& f) { a.is_ptr = f.flag(); }},
    {"slm_alignment", [](PayloadArg& a, const Field& f) { a.slm_alignment = f.count(kMaxSlmBytes); }},
    {"bti_value", [](PayloadArg& a, const Field& f) { a.bti = static_cast<int32_t>(f.integer(-1, 255)); }},
    {"sampler_index", nullptr},
    {"sampler_type", nullptr},
    {"sampler_desc_addrmode", nullptr},
    {"sampler_desc_filtermode", nullptr},
    {"sampler_desc_normalized", nullptr},
    {"image_type", nullptr},
    {"image_transformable", nullptr},
};

constexpr Key<Kernel> kExecutionKeys[] = {
    {"simd_size",
     [](Kernel& k, const Field& f) {
       k.simd_size = f.count(32);
       if (k.simd_size != 1 && k.simd_size != 8 && k.simd_size != 16 && k.simd_size != 32)
         f.fail("must be 1, 8, 16 or 32");
     }},
    {"grf_count",
     [](Kernel& k, const Field& f) {
       k.grf_count = f.count(512);
       if (k.grf_count == 0) f.fail("must not be 0");
     }},
    {"eu_thread_count", [](Kernel& k, const Field& f) { k.eu_thread_count = f.count(64); }},
    {"barrier_count", [](Kernel& k, const Field& f) { k.barrier_count = f.count(255); }},
    {"slm_size", [](Kernel& k, const Field& f) { k.slm_size = f.count(kMaxSlmBytes); }},
    {"inline_data_payload_size", [](Kernel& k, const Field& f) { k.inline_data_payload_size = f.count(256); }},
    {"offset_to_skip_per_thread_data_load",
     [](Kernel& k, const Field& f) { k.offset_to_skip_per_thread_data_load = f.count(); }},
    {"offset_to_skip_cross_thread_data_load",
     [](Kernel& k, const Field& f) { k.offset_to_skip_cross_thread_data_load = f.count(); }},
    {"actual_kernel_start_offset",  // ngen's name for the same
     [](Kernel& k, const Field& f) { k.offset_to_skip_cross_thread_data_load = f.count(); }},
    {"indirect_stateless_count", [](Kernel& k, const Field& f) { k.indirect_stateless_count = f.count(); }},
    {"has_dpas", [](Kernel& k, const Field& f) { k.has_dpas = f.flag(); }},
    {"has_no_stateless_write", [](Kernel& k, const Field& f) { k.has_no_stateless_write = f.flag(); }},
    {"has_global_atomics", [](Kernel& k, const Field& f) { k.has_global_atomics = f.flag(); }},
    {"has_stack_calls", [](Kernel& k, const Field& f) { k.has_stack_calls = f.flag(); }},
    {"has_sample", [](Kernel& k, const Field& f) { k.has_sample = f.flag(); }},
    {"has_printf_calls", [](Kernel& k, const Field& f) { k.has_printf_calls = f.flag(); }},
    {"has_indirect_calls", [](Kernel& k, const Field& f) { k.has_indirect_calls = f.flag(); }},
    {"require_iab", [](Kernel& k, const Field& f) { k.requires_implicit_args = f.flag(); }},
    {"require_disable_eufusion", [](Kernel& k, const Field& f) { k.disable_eufusion = f.flag(); }},
    {"subgroup_independent_forward_progress",
     [](Kernel& k, const Field& f) { k.subgroup_independent_forward_progress = f.flag(); }},
    {"generate_local_id", [](Kernel& k, const Field& f) { k.generates_local_ids = f.flag(); }},
    {"spill_size", [](Kernel& k, const Field& f) { k.spill_size = f.count(kMaxPerThreadMemory); }},
    {"private_size", [](Kernel& k, const Field& f) { k.private_size = f.count(kMaxPerThreadMemory); }},
    {"required_work_group_size", [](Kernel& k, const Field& f) { k.required_group_size = size_triple(f); }},
    {"required_sub_group_size", [](Kernel& k, const Field& f) { k.required_sub_group_size = f.count(32); }},
    {"work_group_walk_order_dimensions", [](Kernel& k, const Field& f) { k.walk_order = walk_order(f); }},
    {"thread_scheduling_mode", [](Kernel& k, const Field& f) { k.thread_scheduling_mode = f.text(); }},
    {"disable_mid_thread_preemption", nullptr},
    {"has_4gb_buffers", nullptr},
    {"has_device_enqueue", nullptr},
    {"has_fence_for_image_access", nullptr},
    {"has_multi_scratch_spaces", nullptr},
    {"has_lsc_stores_with_non_default_l1_cache_controls", nullptr},
    {"require_assert_buffer", nullptr},
    {"require_sync_buffer", nullptr},
    {"has_rtcalls", nullptr},
    {"hw_preemption_mode", nullptr},
    {"offset_to_skip_set_ffid_gp", nullptr},
};

constexpr Key<Kernel> kUserAttributeKeys[] = {
    {"intel_reqd_sub_group_size", [](Kernel& k, const Field& f) { k.required_sub_group_size = f.count(32); }},
    {"reqd_work_group_size",
     [](Kernel& k, const Field& f) {
       if (!k.required_group_size) k.required_group_size = size_triple(f);
     }},
    {"work_group_size_hint", [](Kernel& k, const Field& f) { k.group_size_hint = size_triple(f); }},
    {"intel_reqd_thread_group_dispatch_size", [](Kernel& k, const Field& f) { k.dispatch_size = f.count(64); }},
    {"invalid_kernel", [](Kernel& k, const Field& f) { k.invalid_reason = f.text(); }},
    // The order that the code was compiled for is in execution_env; this is the request.
    {"intel_reqd_workgroup_walk_order", nullptr},
    {"vec_type_hint", nullptr},
};

constexpr Key<BindingTableEntry> kBindingKeys[] = {
    {"bti_value", [](BindingTableEntry& e, const Field& f) { e.bti = f.count(255); }},
    {"arg_index",
     [](BindingTableEntry& e, const Field& f) { e.arg_index = static_cast<int32_t>(f.integer(-1, kMaxArguments)); }},
};

constexpr Key<ScratchBuffer> kMemoryKeys[] = {
    {"type", [](ScratchBuffer& b, const Field& f) { b.type = f.text(); }},
    {"usage", [](ScratchBuffer& b, const Field& f) { b.usage = f.text(); }},
    {"size", [](ScratchBuffer& b, const Field& f) { b.size = f.count(kMaxPerThreadMemory); }},
    {"slot", [](ScratchBuffer& b, const Field& f) { b.slot = f.count(15); }},
    {"is_simt_thread", [](ScratchBuffer& b, const Field& f) { b.is_simt_thread = f.flag(); }},
};

template <typename Item, size_t N>
void read_list(std::vector<Item>& out, const Field& list, const Key<Item> (&keys)[N], const std::string& kind) {
  for (const yaml::Node& node : list.items()) {
    apply_keys<Item>(out.emplace_back(), list.item(node, std::to_string(out.size() - 1)), keys, kind);
  }
}

void read_payload(std::vector<PayloadArg>& out, const Field& list, const std::string& kind) {
  read_list(out, list, kPayloadKeys, kind);
  for (const PayloadArg& argument : out) {
    if (argument.type_name.empty()) list.fail("has an entry without arg_type");
    if (argument.offset + argument.size > kMaxPayloadBytes)
      list.fail("has an entry that ends beyond " + std::to_string(kMaxPayloadBytes));
  }
}

constexpr Key<Kernel> kKernelKeys[] = {
    {"name", nullptr},  // read first: messages need it
    {"execution_env", [](Kernel& k, const Field& f) { apply_keys<Kernel>(k, f, kExecutionKeys, "execution_env"); }},
    {"user_attributes",
     [](Kernel& k, const Field& f) { apply_keys<Kernel>(k, f, kUserAttributeKeys, "user_attributes"); }},
    {"payload_arguments", [](Kernel& k, const Field& f) { read_payload(k.payload, f, "payload_arguments"); }},
    {"per_thread_payload_arguments",
     [](Kernel& k, const Field& f) { read_payload(k.per_thread_payload, f, "per_thread_payload_arguments"); }},
    {"binding_table_indices",
     [](Kernel& k, const Field& f) { read_list(k.binding_table, f, kBindingKeys, "binding_table_indices"); }},
    {"per_thread_memory_buffers",
     [](Kernel& k, const Field& f) { read_list(k.scratch, f, kMemoryKeys, "per_thread_memory_buffers"); }},
    {"inline_samplers", nullptr},
    {"experimental_properties", nullptr},
    {"debug_env", nullptr},
};

// The text after ';' in a type name is its size: 'float*;8'.
void split_type_size(ArgumentInfo& info) {
  const size_t at = info.type_name.rfind(';');
  if (at == std::string::npos) return;
  const char* end = info.type_name.data() + info.type_name.size();
  uint32_t size = 0;
  if (std::from_chars(info.type_name.data() + at + 1, end, size).ptr == end) info.size = size;
  info.type_name.resize(at);
}

struct IndexedArgument {
  ArgumentInfo info;
  int64_t index = -1;
};

constexpr Key<IndexedArgument> kArgumentInfoKeys[] = {
    {"index", [](IndexedArgument& a, const Field& f) { a.index = f.integer(0, kMaxArguments); }},
    {"name", [](IndexedArgument& a, const Field& f) { a.info.name = f.text(); }},
    {"address_qualifier", [](IndexedArgument& a, const Field& f) { a.info.address_qualifier = f.text(); }},
    {"access_qualifier", [](IndexedArgument& a, const Field& f) { a.info.access_qualifier = f.text(); }},
    {"type_name", [](IndexedArgument& a, const Field& f) { a.info.type_name = f.text(); }},
    {"type_qualifiers", [](IndexedArgument& a, const Field& f) { a.info.type_qualifiers = f.text(); }},
};

struct MiscInfo {
  std::string name;
  std::vector<IndexedArgument> arguments;
};

constexpr Key<MiscInfo> kMiscKeys[] = {
    {"name", [](MiscInfo& m, const Field& f) { m.name = f.text(); }},
    {"args_info", [](MiscInfo& m, const Field& f) { read_list(m.arguments, f, kArgumentInfoKeys, "args_info"); }},
};

constexpr Key<FunctionInfo> kFunctionKeys[] = {
    {"name", [](FunctionInfo& i, const Field& f) { i.name = f.text(); }},
    {"execution_env",
     [](FunctionInfo& i, const Field& f) {
       Kernel environment;
       apply_keys<Kernel>(environment, f, kExecutionKeys, "execution_env");
       i.simd_size = environment.simd_size;
       i.grf_count = environment.grf_count;
       i.barrier_count = environment.barrier_count;
       i.has_stack_calls = environment.has_stack_calls;
     }},
};

struct HostAccess {
  std::string device_name, host_name;
};

constexpr Key<HostAccess> kHostAccessKeys[] = {
    {"device_name", [](HostAccess& h, const Field& f) { h.device_name = f.text(); }},
    {"host_name", [](HostAccess& h, const Field& f) { h.host_name = f.text(); }},
};

// Callable functions of a module live in the text of a pretended kernel of this name (compute-runtime
// zebin_elf.h); it is no kernel to launch, and the vector compiler gives it no registers.
constexpr std::string_view kFunctionsKernel = "Intel_Symbol_Table_Void_Program";

void read_kernels(Zebin& out, const Field& list) {
  for (const yaml::Node& node : list.items()) {
    const yaml::Node* name = node.find("name");
    if (name == nullptr || name->scalar.empty())
      list.item(node, std::to_string(out.kernels.size())).fail("has no name");
    if (name->scalar == kFunctionsKernel) continue;
    const Field field = list.item(node, name->scalar);
    Kernel& kernel = out.kernels.emplace_back();
    kernel.name = name->scalar;
    const yaml::Node* environment = node.find("execution_env");
    for (const char* required : {"simd_size", "grf_count"}) {
      if (environment == nullptr || environment->find(required) == nullptr)
        field.fail("has no execution_env." + std::string(required));
    }
    apply_keys<Kernel>(kernel, field, kKernelKeys, "kernels");
  }
}

void read_misc(Zebin& out, const Field& list) {
  std::vector<MiscInfo> entries;
  read_list(entries, list, kMiscKeys, "kernels_misc_info");
  for (MiscInfo& entry : entries) {
    const auto kernel =
        std::find_if(out.kernels.begin(), out.kernels.end(), [&](const Kernel& k) { return k.name == entry.name; });
    if (kernel == out.kernels.end()) {
      list.warnings.add("kernels_misc_info names '" + entry.name + "', which is no kernel");
      continue;
    }
    for (IndexedArgument& argument : entry.arguments) {
      if (argument.index < 0) list.fail("has an argument without index in '" + entry.name + "'");
      // Names are for reports only: an index that the list cannot have is left out, not an error.
      if (static_cast<size_t>(argument.index) >= entry.arguments.size()) {
        list.warnings.add("kernels_misc_info of '" + entry.name + "' has an argument index beyond its list");
        continue;
      }
      split_type_size(argument.info);
      kernel->arguments.resize(std::max(kernel->arguments.size(), static_cast<size_t>(argument.index) + 1));
      kernel->arguments[static_cast<size_t>(argument.index)] = std::move(argument.info);
    }
  }
}

constexpr Key<Zebin> kTopKeys[] = {
    {"version", [](Zebin& z, const Field& f) { z.info_version = f.text(); }},
    {"kernels", [](Zebin& z, const Field& f) { read_kernels(z, f); }},
    {"functions", [](Zebin& z, const Field& f) { read_list(z.function_infos, f, kFunctionKeys, "functions"); }},
    {"global_host_access_table",
     [](Zebin& z, const Field& f) {
       std::vector<HostAccess> table;
       read_list(table, f, kHostAccessKeys, "global_host_access_table");
       for (HostAccess& entry : table) z.host_access[entry.device_name] = std::move(entry.host_name);
     }},
    {"kernels_misc_info", [](Zebin& z, const Field& f) { read_misc(z, f); }},
    {"kernels_cost_info", nullptr},
};

}  // namespace

void read_ze_info(std::string_view text, Zebin& out) {
  const yaml::Node root = yaml::parse(text, "zebin: .ze_info");
  Warnings warnings(out.warnings);
  apply_keys<Zebin>(out, {root, "ze_info", warnings}, kTopKeys, ".ze_info");
  // The major number changes when the meaning of keys does (IGC zebin/spec/version.md).
  if (!out.info_version.empty() && out.info_version.rfind("1.", 0) != 0) {
    throw ZebinError("zebin: .ze_info version " + out.info_version + ", this reader knows 1.x");
  }
}

}  // namespace xeforge::binary
