// SPDX-License-Identifier: Apache-2.0
#include "isa/iga_tables.h"

#include <algorithm>
#include <array>
#include <utility>

namespace xeforge::isa {
namespace {

template <typename From, typename To, size_t N>
std::optional<To> find(const std::array<std::pair<From, To>, N>& table, From key) {
  const auto* row = std::find_if(table.begin(), table.end(), [key](const auto& r) { return r.first == key; });
  if (row == table.end()) return std::nullopt;
  return row->second;
}

template <typename From, typename To, size_t N>
constexpr std::array<std::pair<From, To>, N> rows(const std::pair<From, To> (&list)[N]) {
  return std::to_array(list);
}

constexpr auto kOpcodes = rows<iga::Op, Opcode>({
    {iga::Op::ILLEGAL, Opcode::Illegal}, {iga::Op::NOP, Opcode::Nop},       {iga::Op::SYNC, Opcode::Sync},
    {iga::Op::MOV, Opcode::Mov},         {iga::Op::MOVI, Opcode::Movi},     {iga::Op::SEL, Opcode::Sel},
    {iga::Op::CSEL, Opcode::Csel},       {iga::Op::NOT, Opcode::Not},       {iga::Op::AND, Opcode::And},
    {iga::Op::OR, Opcode::Or},           {iga::Op::XOR, Opcode::Xor},       {iga::Op::SHL, Opcode::Shl},
    {iga::Op::SHR, Opcode::Shr},         {iga::Op::ASR, Opcode::Asr},       {iga::Op::ROL, Opcode::Rol},
    {iga::Op::ROR, Opcode::Ror},         {iga::Op::CMP, Opcode::Cmp},       {iga::Op::CMPN, Opcode::Cmpn},
    {iga::Op::BFREV, Opcode::Bfrev},     {iga::Op::BFE, Opcode::Bfe},       {iga::Op::BFI1, Opcode::Bfi1},
    {iga::Op::BFI2, Opcode::Bfi2},       {iga::Op::BFN, Opcode::Bfn},       {iga::Op::CBIT, Opcode::Cbit},
    {iga::Op::FBH, Opcode::Fbh},         {iga::Op::FBL, Opcode::Fbl},       {iga::Op::LZD, Opcode::Lzd},
    {iga::Op::ADD, Opcode::Add},         {iga::Op::ADD3, Opcode::Add3},     {iga::Op::ADDC, Opcode::Addc},
    {iga::Op::SUBB, Opcode::Subb},       {iga::Op::MUL, Opcode::Mul},       {iga::Op::MACH, Opcode::Mach},
    {iga::Op::MACL, Opcode::Macl},       {iga::Op::MAC, Opcode::Mac},       {iga::Op::MAD, Opcode::Mad},
    {iga::Op::MADM, Opcode::Madm},       {iga::Op::AVG, Opcode::Avg},       {iga::Op::DP4A, Opcode::Dp4a},
    {iga::Op::FRC, Opcode::Frc},         {iga::Op::RNDU, Opcode::Rndu},     {iga::Op::RNDD, Opcode::Rndd},
    {iga::Op::RNDE, Opcode::Rnde},       {iga::Op::RNDZ, Opcode::Rndz},     {iga::Op::SRND, Opcode::Srnd},
    {iga::Op::MATH, Opcode::Math},       {iga::Op::DPAS, Opcode::Dpas},     {iga::Op::DPASW, Opcode::Dpasw},
    {iga::Op::SEND, Opcode::Send},       {iga::Op::SENDC, Opcode::Sendc},   {iga::Op::JMPI, Opcode::Jmpi},
    {iga::Op::BRD, Opcode::Brd},         {iga::Op::BRC, Opcode::Brc},       {iga::Op::IF, Opcode::If},
    {iga::Op::ELSE, Opcode::Else},       {iga::Op::ENDIF, Opcode::Endif},   {iga::Op::WHILE, Opcode::While},
    {iga::Op::BREAK, Opcode::Break},     {iga::Op::CONT, Opcode::Continue}, {iga::Op::HALT, Opcode::Halt},
    {iga::Op::CALL, Opcode::Call},       {iga::Op::CALLA, Opcode::Calla},   {iga::Op::RET, Opcode::Ret},
    {iga::Op::GOTO, Opcode::Goto},       {iga::Op::JOIN, Opcode::Join},
});
static_assert(kOpcodes.size() == static_cast<size_t>(Opcode::Count_));

constexpr auto kTypes = rows<iga::Type, DataType>({
    {iga::Type::UB, DataType::UB},     {iga::Type::B, DataType::B},     {iga::Type::UW, DataType::UW},
    {iga::Type::W, DataType::W},       {iga::Type::UD, DataType::UD},   {iga::Type::D, DataType::D},
    {iga::Type::UQ, DataType::UQ},     {iga::Type::Q, DataType::Q},     {iga::Type::HF, DataType::HF},
    {iga::Type::BF, DataType::BF},     {iga::Type::F, DataType::F},     {iga::Type::DF, DataType::DF},
    {iga::Type::TF32, DataType::TF32}, {iga::Type::BF8, DataType::BF8}, {iga::Type::HF8, DataType::HF8},
    {iga::Type::U4, DataType::U4},     {iga::Type::S4, DataType::S4},   {iga::Type::U2, DataType::U2},
    {iga::Type::S2, DataType::S2},     {iga::Type::V, DataType::V},     {iga::Type::UV, DataType::UV},
    {iga::Type::VF, DataType::VF},
});

constexpr auto kFiles = rows<iga::RegName, RegFile>({
    {iga::RegName::ARF_NULL, RegFile::Null},
    {iga::RegName::GRF_R, RegFile::Grf},
    {iga::RegName::ARF_ACC, RegFile::Acc},
    {iga::RegName::ARF_A, RegFile::Address},
    {iga::RegName::ARF_F, RegFile::Flag},
    {iga::RegName::ARF_CE, RegFile::ChannelEnable},
    {iga::RegName::ARF_MSG, RegFile::MaskStack},
    {iga::RegName::ARF_SP, RegFile::StackPtr},
    {iga::RegName::ARF_SR, RegFile::State},
    {iga::RegName::ARF_CR, RegFile::Control},
    {iga::RegName::ARF_N, RegFile::Notification},
    {iga::RegName::ARF_IP, RegFile::Ip},
    {iga::RegName::ARF_TDR, RegFile::Tdr},
    {iga::RegName::ARF_TM, RegFile::Timestamp},
    {iga::RegName::ARF_FC, RegFile::FlowControl},
    {iga::RegName::ARF_DBG, RegFile::Debug},
    {iga::RegName::ARF_S, RegFile::Scalar},
});

constexpr auto kPredicates = rows<iga::PredCtrl, PredCtrl>({
    {iga::PredCtrl::NONE, PredCtrl::None},
    {iga::PredCtrl::SEQ, PredCtrl::Normal},
    {iga::PredCtrl::ANYV, PredCtrl::AnyV},
    {iga::PredCtrl::ALLV, PredCtrl::AllV},
    {iga::PredCtrl::ANY2H, PredCtrl::Any2h},
    {iga::PredCtrl::ALL2H, PredCtrl::All2h},
    {iga::PredCtrl::ANY4H, PredCtrl::Any4h},
    {iga::PredCtrl::ALL4H, PredCtrl::All4h},
    {iga::PredCtrl::ANY8H, PredCtrl::Any8h},
    {iga::PredCtrl::ALL8H, PredCtrl::All8h},
    {iga::PredCtrl::ANY16H, PredCtrl::Any16h},
    {iga::PredCtrl::ALL16H, PredCtrl::All16h},
    {iga::PredCtrl::ANY32H, PredCtrl::Any32h},
    {iga::PredCtrl::ALL32H, PredCtrl::All32h},
    {iga::PredCtrl::ANY, PredCtrl::Any},
    {iga::PredCtrl::ALL, PredCtrl::All},
});

// EO ("early out") of the math macros has no bits in the instruction: the function implies it.
constexpr auto kConditions = rows<iga::FlagModifier, FlagMod>({
    {iga::FlagModifier::NONE, FlagMod::None},
    {iga::FlagModifier::EQ, FlagMod::Eq},
    {iga::FlagModifier::NE, FlagMod::Ne},
    {iga::FlagModifier::GT, FlagMod::Gt},
    {iga::FlagModifier::GE, FlagMod::Ge},
    {iga::FlagModifier::LT, FlagMod::Lt},
    {iga::FlagModifier::LE, FlagMod::Le},
    {iga::FlagModifier::OV, FlagMod::Ov},
    {iga::FlagModifier::UN, FlagMod::Un},
    {iga::FlagModifier::EO, FlagMod::None},
});

constexpr auto kMath = rows<iga::MathFC, MathFn>({
    {iga::MathFC::INV, MathFn::Inv},
    {iga::MathFC::LOG, MathFn::Log},
    {iga::MathFC::EXP, MathFn::Exp},
    {iga::MathFC::SQT, MathFn::Sqt},
    {iga::MathFC::RSQT, MathFn::Rsqt},
    {iga::MathFC::SIN, MathFn::Sin},
    {iga::MathFC::COS, MathFn::Cos},
    {iga::MathFC::FDIV, MathFn::Fdiv},
    {iga::MathFC::POW, MathFn::Pow},
    {iga::MathFC::IDIV, MathFn::Idiv},
    {iga::MathFC::IQOT, MathFn::Iqot},
    {iga::MathFC::IREM, MathFn::Irem},
    {iga::MathFC::INVM, MathFn::Invm},
    {iga::MathFC::RSQTM, MathFn::Rsqtm},
});

constexpr auto kSync = rows<iga::SyncFC, SyncFn>({
    {iga::SyncFC::NOP, SyncFn::Nop},
    {iga::SyncFC::ALLRD, SyncFn::Allrd},
    {iga::SyncFC::ALLWR, SyncFn::Allwr},
    {iga::SyncFC::BAR, SyncFn::Bar},
    {iga::SyncFC::FENCE, SyncFn::Fence},
    {iga::SyncFC::HOST, SyncFn::Host},
});

constexpr auto kDistances = rows<iga::SWSB::DistType, SwsbDist>({
    {iga::SWSB::DistType::NO_DIST, SwsbDist::None},
    {iga::SWSB::DistType::REG_DIST, SwsbDist::SelfPipe},
    {iga::SWSB::DistType::REG_DIST_ALL, SwsbDist::Any},
    {iga::SWSB::DistType::REG_DIST_FLOAT, SwsbDist::Float},
    {iga::SWSB::DistType::REG_DIST_INT, SwsbDist::Int},
    {iga::SWSB::DistType::REG_DIST_LONG, SwsbDist::Long},
    {iga::SWSB::DistType::REG_DIST_MATH, SwsbDist::Math},
    {iga::SWSB::DistType::REG_DIST_SCALAR, SwsbDist::Scalar},
});

constexpr auto kTokens = rows<iga::SWSB::TokenType, SwsbToken>({
    {iga::SWSB::TokenType::NOTOKEN, SwsbToken::None},
    {iga::SWSB::TokenType::SET, SwsbToken::Set},
    {iga::SWSB::TokenType::SRC, SwsbToken::Src},
    {iga::SWSB::TokenType::DST, SwsbToken::Dst},
});

constexpr auto kSfids = rows<iga::SFID, Sfid>({
    {iga::SFID::NULL_, Sfid::Null},
    {iga::SFID::GTWY, Sfid::Gateway},
    {iga::SFID::DC0, Sfid::Dc0},
    {iga::SFID::DC1, Sfid::Dc1},
    {iga::SFID::DCRO, Sfid::DcRo},
    {iga::SFID::UGM, Sfid::Ugm},
    {iga::SFID::UGML, Sfid::UgmL},
    {iga::SFID::TGM, Sfid::Tgm},
    {iga::SFID::SLM, Sfid::Slm},
    {iga::SFID::SMPL, Sfid::Sampler},
    {iga::SFID::URB, Sfid::Urb},
    {iga::SFID::TS, Sfid::ThreadSpawner},
    {iga::SFID::RC, Sfid::RenderCache},
    {iga::SFID::BTD, Sfid::BindlessThread},
    {iga::SFID::RTA, Sfid::RayTracing},
});

}  // namespace

std::optional<Opcode> opcode_of(iga::Op op) { return find(kOpcodes, op); }
std::optional<DataType> type_of(iga::Type type) { return find(kTypes, type); }
std::optional<RegFile> file_of(iga::RegName name) { return find(kFiles, name); }
std::optional<PredCtrl> predicate_of(iga::PredCtrl control) { return find(kPredicates, control); }
std::optional<FlagMod> condition_of(iga::FlagModifier modifier) { return find(kConditions, modifier); }
std::optional<MathFn> math_of(iga::MathFC function) { return find(kMath, function); }
std::optional<SyncFn> sync_of(iga::SyncFC function) { return find(kSync, function); }
std::optional<SwsbDist> distance_of(iga::SWSB::DistType type) { return find(kDistances, type); }
std::optional<SwsbToken> token_of(iga::SWSB::TokenType type) { return find(kTokens, type); }
Sfid sfid_of(iga::SFID sfid) { return find(kSfids, sfid).value_or(Sfid::Other); }

}  // namespace xeforge::isa
