// SPDX-License-Identifier: Apache-2.0
#include "timing/result.h"

namespace xeforge::timing {
namespace {

struct CauseText {
  std::string_view name, description;
};

constexpr std::array<CauseText, kCauses> kTexts{{
    {"issued_float", "issued to the float pipe"},
    {"issued_int", "issued to the integer pipe"},
    {"issued_math", "issued to extended math"},
    {"issued_matrix", "issued to the matrix engine"},
    {"issued_send", "issued a message"},
    {"issued_control", "issued a branch or a sync"},
    {"front", "the thread's own issue rate, branches"},
    {"wait_pipe", "waits for the result of an in-order pipe"},
    {"wait_math", "waits for extended math"},
    {"wait_matrix", "waits for the result of dpas"},
    {"wait_data", "waits for the data of a message"},
    {"wait_payload", "waits until a message has read its payload"},
    {"wait_barrier", "waits at a barrier"},
    {"busy_float", "ready, the float pipe is taken"},
    {"busy_int", "ready, the integer pipe is taken"},
    {"busy_matrix", "ready, the matrix engine is taken"},
    {"busy_send", "ready, the send port is taken"},
    {"busy_queue", "ready, the queue of the load/store unit is full"},
    {"arbiter", "ready, another thread is issued"},
    {"start", "dispatched, not yet begun"},
    {"empty", "no thread in the slot"},
}};

}  // namespace

std::string_view name_of(Cause cause) { return kTexts[static_cast<size_t>(cause)].name; }
std::string_view describe(Cause cause) { return kTexts[static_cast<size_t>(cause)].description; }

Traffic& Traffic::operator+=(const Traffic& o) {
  messages += o.messages;
  slm_bytes += o.slm_bytes;
  l1_reads += o.l1_reads;
  l1_hits += o.l1_hits;
  l2_reads += o.l2_reads;
  l2_hits += o.l2_hits;
  l2_writes += o.l2_writes;
  dram_read_lines += o.dram_read_lines;
  dram_written_lines += o.dram_written_lines;
  return *this;
}

}  // namespace xeforge::timing
