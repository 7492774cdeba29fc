// Identifiers: legal for every byte string, one name for one original, stable.
#include <gtest/gtest.h>

#include <random>

#include "render/header_names.h"
#include "render/identifier.h"
#include "render/reserved_words.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin::render_identifier_test {
namespace {

// The rules of identifier.h written again, plainly.
bool obeys_the_rules(const std::string& name) {
  if (name.empty() || name.size() > 63) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    if (i == 0 && !letter) return false;
    if (i + 1 == name.size() && !letter && !digit) return false;
    if (!letter && !digit && !(c == '_' && name[i - 1] != '_')) return false;
  }
  return !is_reserved_word(name);
}

TEST(Sha256, KnownAnswers) {  // FIPS 180-4, examples of one and two blocks, and the empty text
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 pieces;
  pieces.update("abcdbcdecdefdefgefghfghighijhi");
  pieces.update("");
  pieces.update("jkijkljklmklmnlmnomnopnopq");
  EXPECT_EQ(pieces.hex(), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Identifier, ReadableForms) {
  EXPECT_EQ(readable("conv1"), "conv1");
  EXPECT_EQ(readable("/layer1/conv.0/Conv_output_0"), "layer1_conv_0_Conv_output_0");
  EXPECT_EQ(readable("__a__b__"), "a_b");
  EXPECT_EQ(readable("123"), "n123");
  EXPECT_EQ(readable("/1/2"), "n1_2");
  EXPECT_EQ(readable(""), "unnamed");
  EXPECT_EQ(readable("\xE5\x80\xBC"), "unnamed");
  EXPECT_EQ(readable("a\xE5\x80\xBC"), "a");
  EXPECT_EQ(readable(std::string(1000, 'a')).size(), 63u);
  EXPECT_EQ(readable("abcdefghijklmnopqrstuvw/xyz", 24), "abcdefghijklmnopqrstuvw");
}

TEST(Identifier, CleanNamesStay) {
  for (const char* name : {"a", "conv1", "A_b_C", "x1"}) EXPECT_EQ(mangle(name).text(), name);
}

TEST(Identifier, OthersCarryAHash) {
  EXPECT_EQ(mangle("a.b").text(), "a_b_x" + sha256_hex("a.b").substr(0, 8));
  EXPECT_EQ(mangle("float").text(), "float_x" + sha256_hex("float").substr(0, 8));
  EXPECT_EQ(mangle("").text(), "unnamed_xe3b0c442");
  // A name that imitates a hash gets one of its own.
  EXPECT_NE(mangle("a_b_x" + sha256_hex("a.b").substr(0, 8)), mangle("a.b"));
  const std::string long_name(100, 'q');
  EXPECT_EQ(mangle(long_name).text().size(), 63u);
  EXPECT_EQ(mangle(long_name, 31).text().size(), 31u);
  EXPECT_NE(mangle(long_name), mangle(long_name + "q"));
}

TEST(Identifier, ReservedWordsAreNoIdentifiers) {
  for (const char* word :
       {"for",      "class",  "constexpr", "co_await",  "kernel",  "half",     "float4", "uint16",
        "float4x4", "size_t", "NULL",      "INT32_MAX", "M_PI",    "linux",    "main",   "max",
        "xor_eq",   "CON",    "lpt9",      "test",      "install", "ALL_BUILD"}) {
    EXPECT_FALSE(is_identifier(word)) << word;
    EXPECT_TRUE(obeys_the_rules(mangle(word).text())) << word;
  }
  for (const char* word :
       {"forx", "in", "out", "input", "x", "weights", "floatx", "int_", "float4y"}) {
    EXPECT_FALSE(is_reserved_word(word)) << word;
  }
}

// The first, the last and some between, and names beside them.
TEST(Identifier, MacrosOfTheCLibraryAreNone) {
  for (const char* macro : {"ABDAY_1", "ABDAY_2", "BUFSIZ", "I", "RAND_MAX", "SIGKILL", "st_atime",
                            "va_start", "xor", "xor_eq"})
    EXPECT_TRUE(is_header_macro(macro)) << macro;
  for (const char* other : {"", " ", "A", "ABDAY", "ABDAY_", "ABDAY_10", "BUFSIZE", "I ", " I", "zzz",
                            "xor_eq_", "~"})
    EXPECT_FALSE(is_header_macro(other)) << other;
}

TEST(Identifier, OurOwnNamesAreChecked) {
  EXPECT_EQ(Identifier("weights").text(), "weights");
  EXPECT_THROW(Identifier("_x"), InternalError);
  EXPECT_THROW(Identifier("a__b"), InternalError);
  EXPECT_THROW(Identifier("int"), InternalError);
  EXPECT_THROW(Identifier(""), InternalError);
  EXPECT_EQ(join({Identifier("net"), mangle("run")}).text(), "net_run");
  EXPECT_THROW(join({mangle(std::string(40, 'a')), mangle(std::string(40, 'b'))}), InternalError);
  EXPECT_EQ(with_number(Identifier("axis"), 3).text(), "axis_3");
  EXPECT_EQ(with_hash(Identifier("gemm"), "abc").text(), "gemm_ba7816bf");
}

// Random byte strings of several tastes: names that nearly agree are the interesting ones.
std::string random_name(std::mt19937& random) {
  const std::string_view alphabets[] = {"ab_", "aA/._0", "x0123456789abcdef_", "\\*/\n?\"'<>", ""};
  const std::string_view alphabet = alphabets[random() % 5];
  std::string out;
  for (size_t i = random() % (random() % 8 == 0 ? 200 : 7); i > 0; --i) {
    out += alphabet.empty() ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
  }
  return out;
}

TEST(Identifier, MangleIsLegalAndInjectiveOnRandomNames) {
  std::mt19937 random(1);
  std::map<std::string, std::string> original_of;
  for (int i = 0; i < 100000; ++i) {
    const std::string original = random_name(random);
    const std::string name = mangle(original).text();
    ASSERT_TRUE(obeys_the_rules(name)) << name;
    const auto [at, fresh] = original_of.emplace(name, original);
    ASSERT_TRUE(fresh || at->second == original) << quoted(original) << " " << quoted(at->second);
  }
  EXPECT_GT(original_of.size(), 20000u);
}

TEST(NameTable, ReadableFirstThenHashed) {
  NameTable table;
  table.reserve(Identifier("arena"));
  EXPECT_EQ(table.add("conv/1").text(), "conv_1");
  EXPECT_EQ(table.add("conv.1").text(), "conv_1_x" + sha256_hex("conv.1").substr(0, 8));
  EXPECT_EQ(table.add("conv_1").text(), "conv_1_x" + sha256_hex("conv_1").substr(0, 8));
  EXPECT_EQ(table.add("conv/1").text(), "conv_1");  // equal originals, equal names
  EXPECT_EQ(table.add("arena").text(), "arena_x" + sha256_hex("arena").substr(0, 8));
  EXPECT_EQ(table.add("CONV_1").text(), "CONV_1");
}

TEST(NameTable, NamesOfFilesDifferInMoreThanCase) {
  NameTable table(NameTable::Case::kIgnored);
  EXPECT_EQ(table.add("Conv").text(), "Conv");
  EXPECT_EQ(table.add("conv").text(), "conv_x" + sha256_hex("conv").substr(0, 8));
  EXPECT_EQ(table.add("Aux").text(), "Aux_x" + sha256_hex("Aux").substr(0, 8));
}

TEST(NameTable, AnImitatedHashMovesNobody) {
  NameTable table;
  const std::string imitation = "a_b_x" + sha256_hex("a.b").substr(0, 8);
  const Identifier imitated = table.add(imitation);
  EXPECT_NE(imitated.text(), imitation);
  table.add("a/b");
  EXPECT_EQ(table.add("a.b").text(), imitation);
}

TEST(NameTable, AlwaysLegalAndUnique) {
  for (const NameTable::Case rule : {NameTable::Case::kDistinct, NameTable::Case::kIgnored}) {
    for (const size_t longest : {24u, 31u, 63u}) {
      std::mt19937 random(2);
      NameTable table(rule, longest);
      std::map<std::string, std::string> original_of;
      for (int i = 0; i < 20000; ++i) {
        const std::string original = random_name(random);
        std::string name = table.add(original).text();
        ASSERT_TRUE(obeys_the_rules(name) && name.size() <= longest) << name;
        if (rule == NameTable::Case::kIgnored) {
          for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        }
        const auto [at, fresh] = original_of.emplace(name, original);
        ASSERT_TRUE(fresh || at->second == original);
      }
    }
  }
}

}  // namespace
}  // namespace burin::render_identifier_test
