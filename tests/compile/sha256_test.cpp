// SPDX-License-Identifier: Apache-2.0
#include "compile/sha256.h"

#include <gtest/gtest.h>

#include "compile/files.h"

namespace xeforge::compile {
namespace {

// FIPS 180-4 example values (NIST, cryptographic standards examples).
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(as_bytes("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(as_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(as_bytes(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheInputIsCut) {
  const std::string text(1000, 'x');
  for (const size_t cut : {1u, 55u, 56u, 63u, 64u, 65u, 999u}) {
    Sha256 hash;
    hash.add(as_bytes(std::string_view(text).substr(0, cut)));
    hash.add(as_bytes(std::string_view(text).substr(cut)));
    EXPECT_EQ(hash.finish(), sha256(as_bytes(text))) << cut;
  }
}

TEST(Sha256, FieldsDoNotRunIntoOneAnother) {
  Sha256 one;
  one.add_field("ab");
  one.add_field("c");
  Sha256 other;
  other.add_field("a");
  other.add_field("bc");
  EXPECT_NE(one.finish(), other.finish());
}

}  // namespace
}  // namespace xeforge::compile
