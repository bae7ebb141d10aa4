// SPDX-License-Identifier: Apache-2.0
//
// IGA's enumerations in our vocabulary. Internal to the room. Every function returns nullopt for
// a value that this project has no word for; the caller names it in an error.
#pragma once

#include <cstdint>
#include <optional>

#include <iga/iga_types_ext.hpp>

#include "isa/instruction.h"

namespace xeforge::isa {

std::optional<Opcode> opcode_of(iga::Op op);
std::optional<DataType> type_of(iga::Type type);
std::optional<RegFile> file_of(iga::RegName name);
std::optional<PredCtrl> predicate_of(iga::PredCtrl control);
std::optional<FlagMod> condition_of(iga::FlagModifier modifier);
std::optional<MathFn> math_of(iga::MathFC function);
std::optional<SyncFn> sync_of(iga::SyncFC function);
std::optional<SwsbDist> distance_of(iga::SWSB::DistType type);
std::optional<SwsbToken> token_of(iga::SWSB::TokenType type);
Sfid sfid_of(iga::SFID sfid);

}  // namespace xeforge::isa
