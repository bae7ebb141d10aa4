// SPDX-License-Identifier: Apache-2.0
//
// Vocabulary shared by all decoded instructions: platforms, data types, register files,
// predicate and condition controls, sub-functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace xeforge::isa {

/// Encoding family. XeHpg = DG2 (A770), Xe2 = B580, Lunar Lake.
enum class Platform : uint8_t { XeHpg, Xe2 };

/// Bytes of one GRF register: 32 on Xe-HPG, 64 on Xe2.
constexpr unsigned grf_bytes(Platform p) { return p == Platform::XeHpg ? 32 : 64; }
/// Channels of the native execution width: 8 on Xe-HPG, 16 on Xe2 (also N of a dpas).
constexpr unsigned native_simd(Platform p) { return p == Platform::XeHpg ? 8 : 16; }

enum class DataType : uint8_t {
  UB,
  B,
  UW,
  W,
  UD,
  D,
  UQ,
  Q,
  HF,
  BF,
  F,
  DF,
  TF32,
  BF8,
  HF8,
  U8,
  S8,
  U4,
  S4,
  U2,
  S2,  ///< dpas operand precisions
  V,
  UV,
  VF,  ///< packed-vector immediates
  Invalid
};

/// Size in bits of one element (V/UV/VF: of the whole immediate).
unsigned bits_of(DataType t);
/// Size in bytes; sub-byte types report 1.
unsigned bytes_of(DataType t);
bool is_float(DataType t);
bool is_signed(DataType t);  ///< signed integers and floats
std::string_view name_of(DataType t);

enum class RegFile : uint8_t {
  Null,
  Grf,
  Acc,
  Address,
  Flag,
  ChannelEnable,
  MaskStack,  ///< "msg" on Xe: msg0 bits 7:0 are the logical Xe-core, from which Xe2 kernels compute a thread's number
  StackPtr,
  State,
  Control,
  Notification,
  Ip,
  Tdr,
  Timestamp,
  FlowControl,
  Debug,
  Scalar
};
std::string_view name_of(RegFile f);

enum class PredCtrl : uint8_t {
  None,
  Normal,
  AnyV,
  AllV,
  Any2h,
  All2h,
  Any4h,
  All4h,
  Any8h,
  All8h,
  Any16h,
  All16h,
  Any32h,
  All32h,
  Any,
  All  ///< Xe2
};

enum class FlagMod : uint8_t { None, Eq, Ne, Gt, Ge, Lt, Le, Ov, Un };

enum class MathFn : uint8_t { None, Inv, Log, Exp, Sqt, Rsqt, Sin, Cos, Fdiv, Pow, Idiv, Iqot, Irem, Invm, Rsqtm };

enum class SyncFn : uint8_t { None, Nop, Allrd, Allwr, Bar, Fence, Host };

}  // namespace xeforge::isa
