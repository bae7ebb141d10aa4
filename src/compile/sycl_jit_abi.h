// SPDX-License-Identifier: Apache-2.0
//
// Plain-data mirror of the entry point `compileSYCL` of libsycl-jit.so.23.1 (SYCL wheels 2026.2.0). The library ships
// no header and its interface is private: the layouts were read from intel/llvm's sycl-jit headers (RTC.h, View.h,
// DynArray.h, JITBinaryInfo.h) and checked against the library by running it. Only the offline tools use it, in a
// process of their own (xeforge-syclc), and only after the library's SONAME was compared with kJitSoname.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xeforge::compile::jit {

inline constexpr const char* kJitSoname = "libsycl-jit.so.23.1";

struct File {
  const char* path;
  const char* text;
};

template <typename T>
struct View {
  const T* data;
  size_t size;
};

/// The library's owning array. Its memory is never given back: its deleter belongs to the library's own C++ runtime.
template <typename T>
struct Array {
  T* data;
  size_t size;
};

enum class Format : uint32_t { Invalid = 0, Llvm = 1, Spirv = 2, Ptx = 3, AmdGcn = 4 };

struct Binary {
  Format format;
  uint64_t address_bits;
  const uint8_t* data;
  uint64_t size;
};

struct Property {
  char* name;
  bool is_u32;
  uint32_t value;
  Array<uint8_t> bytes;
};

struct PropertySet {
  char* name;
  Array<Property> properties;
};

struct Image {
  Binary binary;
  Array<char*> symbols;
  Array<PropertySet> property_sets;
};

enum class ErrorCode : uint32_t { Success = 0, Build = 1, Invalid = 2 };

struct CompileResult {
  ErrorCode error;
  Array<Image> images;
  char* options;
  Array<char> ir;
  char* log;
};

static_assert(sizeof(File) == 16 && sizeof(View<File>) == 16 && sizeof(Array<char>) == 16);
static_assert(sizeof(Binary) == 32 && offsetof(Binary, data) == 16 && offsetof(Binary, size) == 24);
static_assert(sizeof(Property) == 32 && offsetof(Property, value) == 12 && offsetof(Property, bytes) == 16);
static_assert(sizeof(PropertySet) == 24 && offsetof(PropertySet, properties) == 8);
static_assert(sizeof(Image) == 64 && offsetof(Image, symbols) == 32 && offsetof(Image, property_sets) == 48);
static_assert(sizeof(CompileResult) == 56 && offsetof(CompileResult, images) == 8 &&
              offsetof(CompileResult, log) == 48);

using CompileSycl = CompileResult (*)(File source, View<File> includes, View<const char*> arguments,
                                      View<char> cached_ir, bool save_ir, Format format);

}  // namespace xeforge::compile::jit
