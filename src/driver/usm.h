// SPDX-License-Identifier: Apache-2.0
//
// Memory of the virtual device. Device addresses are host addresses: each allocation is mapped
// between guard pages and entered into the machine's map, against which kernels are checked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "driver/api.h"
#include "machine/memory.h"
#include "observe/check/init_memory.h"

namespace xeforge::driver {

/// Alignment and granule of allocations; also what zeMemGetAllocProperties calls the page size.
inline constexpr std::size_t kUsmPage = std::size_t{64} * 1024;

class Usm {
 public:
  /// `device_bytes`: what device and shared memory may take together.
  explicit Usm(uint64_t device_bytes) : device_bytes_(device_bytes) {}

  /// Zero-filled memory. `alignment`: 0 or a power of two. Throws ApiError: OUT_OF_DEVICE_MEMORY,
  /// OUT_OF_HOST_MEMORY, UNSUPPORTED_ALIGNMENT.
  void* allocate(machine::MemoryKind kind, std::size_t size, std::size_t alignment, const char* label = nullptr);
  /// The program gave `pointer` back: it must be what allocate() returned and not retired before,
  /// else ApiError INVALID_ARGUMENT. Work already submitted may still use it until free().
  void retire(void* pointer);
  /// Takes the memory out of the map at once; its pages go when no operation of the device is under way.
  void free(void* pointer);

  /// From now on freed memory keeps its addresses, so that its use can be told from that of new memory.
  void quarantine_freed_memory() { quarantine_.store(true); }
  /// From now on it is known which bytes of new device memory were ever written.
  void track_written_memory() { track_written_.store(true); }
  /// Null if that is not known.
  observe::check::DefinedMemory* written() { return track_written_.load() ? &written_ : nullptr; }
  void note_write(const void* to, std::size_t size);
  void note_copy(const void* to, const void* from, std::size_t size);
  /// The freed allocation that held `address`, while its addresses are kept.
  std::optional<std::string> find_freed(uint64_t address) const;
  /// True for addresses of this driver's own mappings, guard pages and freed memory included.
  bool owns(uint64_t address) const;
  /// What the program allocated and has not given back, by address.
  std::vector<machine::Allocation> not_given_back() const;

  std::optional<machine::Allocation> find(const void* pointer) const;
  std::shared_ptr<const machine::MemorySnapshot> snapshot() const { return map_.snapshot(); }
  uint64_t device_bytes_free() const;

  /// Throws ApiError INVALID_SIZE if [pointer, pointer+size) starts inside an allocation and leaves
  /// it. Memory that is not ours cannot be checked.
  void check_range(const void* pointer, std::size_t size, const char* what) const;

  /// While one exists, freed pages stay mapped: the machine and copies read host memory directly.
  class Use {
   public:
    explicit Use(Usm& usm) : usm_(usm) { usm_.begin_use(); }
    ~Use() { usm_.end_use(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Usm& usm_;
  };

 private:
  struct Mapping {
    void* start = nullptr;  ///< guard page included
    std::size_t bytes = 0;
    bool counts_as_device = false;
    std::size_t size = 0;
    bool retired = false;
    bool internal = false;  ///< not asked for by the program
  };
  struct Freed {
    Mapping mapping;
    uint64_t base = 0;
    std::string label;
  };
  /// Unmaps, or puts into quarantine.
  void dispose(const Mapping& mapping);
  void begin_use();
  void end_use();

  const uint64_t device_bytes_;
  machine::MemoryMap map_;
  mutable std::mutex mutex_;
  std::map<uint64_t, Mapping> mappings_;  // by address
  std::vector<Mapping> graveyard_;
  std::atomic<bool> track_written_{false};
  observe::check::DefinedMemory written_;
  std::atomic<bool> quarantine_{false};
  std::map<uint64_t, Freed> freed_;  // in quarantine, by start of mapping
  std::vector<uint64_t> freed_order_;
  uint64_t device_used_ = 0;
  uint64_t users_ = 0;
};

}  // namespace xeforge::driver
