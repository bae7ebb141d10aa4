// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace xeforge::lab::testing_data {

inline std::string report(const std::string& kernel, const std::string& fault = "null") {
  return R"({"kernel":")" + kernel +
         R"(","device":"a770","groups":[8,24,1],"local":[32,1,1],"threads":6144,"host_wall_us":1500.5,)" +
         R"("compiled":{"simd":1,"grf":128,"spill_bytes":0,"scratch_bytes":0,"slm_bytes":16384,"barriers":1},)" +
         R"("counts":{"instructions":8580000,"send":1500000,"dpas":786432,"barriers":55296},"fault":)" + fault + "}";
}

inline const char* const kFault =
    R"({"kind":"OutOfBounds","group":[3,1,0],"thread":5,"pc":416,"lane":2,"text":"store.ugm.d32","message":"4 bytes past the end of device USM #7","occurrences":3})";

}  // namespace xeforge::lab::testing_data
