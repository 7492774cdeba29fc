// Hardware descriptions that are refused, each with the exact line. Every case is the same good
// description with one edit.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hardware/load.h"
#include "support/diagnostics.h"

namespace burin::config_test {
namespace {

constexpr const char* kGood = R"({
  "name": "x",
  "target": "cpp",
  "isa": "x86_64",
  "profile": "hosted",
  "machine": { "pointer_bits": 64, "byte_order": "little", "arena_align_bytes": 64, "clock_mhz": 3000 },
  "vector": {
    "vector_bytes": 32, "registers": 16, "fma_per_cycle": 2, "fma_latency_cycles": 5,
    "loads_per_cycle": 2, "stores_per_cycle": 1
  },
  "instructions": ["fma", "gather"],
  "memory": {
    "cache_line_bytes": 64,
    "caches": [
      { "size_bytes": 32768, "latency_cycles": 5, "bandwidth_bytes_per_cycle": 64, "shared_by_threads": 1 },
      { "size_bytes": 262144, "latency_cycles": 12, "bandwidth_bytes_per_cycle": 32, "shared_by_threads": 1 }
    ],
    "bandwidth_mb_per_s": 20000
  },
  "threads_max": 4,
  "compilers": [
    { "name": "g++", "command": ["g++"], "compile_flags": ["-O3", "-march=x86-64-v3"], "link_flags": [] }
  ]
}
)";

std::string refusal_of(const std::string& text) {
  try {
    parse_hardware(text, "x.json");
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

// kGood with the one occurrence of `from` replaced.
std::string edited(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  EXPECT_EQ(text.find(from, at + 1), text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ConfigErrors, TheUneditedDescriptionIsGood) { EXPECT_EQ(refusal_of(kGood), "accepted"); }

struct Edit {
  const char* from;
  const char* to;
  const char* line;
};

TEST(ConfigErrors, EditsAreRefusedWithTheirPlace) {
  const Edit edits[] = {
      // Unknown keys, with the nearest known one.
      {"\"registers\": 16", "\"registers\": 16, \"ports\": 2",
       "x.json:8:51: #/vector/ports: error: unknown key 'ports' [unknown-key]"},
      {"\"registers\": 16", "\"regsiters\": 16",
       "x.json:8:38: #/vector/regsiters: error: unknown key 'regsiters' [unknown-key]; did you "
       "mean "
       "'registers'?\n"
       "x.json:7:13: #/vector: error: key 'registers' is missing [missing-key]"},
      {"\"threads_max\": 4,", "\"thread_max\": 4, \"threads_max\": 4,",
       "x.json:20:17: #/thread_max: error: unknown key 'thread_max' [unknown-key]; did you mean "
       "'threads_max'?"},
      {"\"link_flags\": []", "\"link_flags\": [], \"ld\\u0000\\u202eflags\": []",
       "x.json:22:129: #/compilers/0/ld%00%E2%80%AEflags: error: unknown key "
       "'ld\\x00\\xe2\\x80\\xaeflags' "
       "[unknown-key]"},
      // Wrong units and missing ones.
      {"\"size_bytes\": 32768", "\"size_kib\": 32, \"size_bytes\": 32768",
       "x.json:15:21: #/memory/caches/0/size_kib: error: unknown key 'size_kib' [wrong-unit]; give "
       "the "
       "value in bytes, as 'size_bytes'"},
      {"\"bandwidth_mb_per_s\": 20000", "\"bandwidth_gb_per_s\": 20, \"bandwidth_mb_per_s\": 20000",
       "x.json:18:27: #/memory/bandwidth_gb_per_s: error: unknown key 'bandwidth_gb_per_s' "
       "[wrong-unit]; "
       "give the value in MB per s, as 'bandwidth_mb_per_s'"},
      {"\"clock_mhz\": 3000", "\"clock_mhz\": 3000, \"clock_GHz\": 3",
       "x.json:6:117: #/machine/clock_GHz: error: unknown key 'clock_GHz' [wrong-unit]; give the "
       "value in "
       "MHz, as 'clock_mhz'"},
      {"\"cache_line_bytes\": 64", "\"cache_line_bytes\": 64, \"cache_line\": 64",
       "x.json:13:43: #/memory/cache_line: error: unknown key 'cache_line' [wrong-unit]; give the "
       "value in "
       "bytes, as 'cache_line_bytes'"},
      {"\"fma_latency_cycles\": 5", "\"fma_latency_cycles\": 5, \"fma_latency_ns\": 2",
       "x.json:8:105: #/vector/fma_latency_ns: error: unknown key 'fma_latency_ns' [wrong-unit]; "
       "give the "
       "value in cycles, as 'fma_latency_cycles'"},
      // Missing keys and duplicates.
      {"\"isa\": \"x86_64\",", "", "x.json:1:1: #: error: key 'isa' is missing [missing-key]"},
      {"\"clock_mhz\": 3000", "\"description\": \"no clock\"",
       "x.json:6:14: #/machine: error: key 'clock_mhz' is missing [missing-key]"},
      {"\"target\": \"cpp\"", "\"target\": \"cpp\", \"target\": \"cpp\"",
       "x.json:3:20: #/target: error: key 'target' is given twice [duplicate-key]"},
      {"\"cache_line_bytes\": 64", "\"cache_line_bytes\": 64, \"cache_line_byte\\u0073\": 128",
       "x.json:13:29: #/memory/cache_line_bytes: error: key 'cache_line_bytes' is given twice "
       "[duplicate-key]"},
      // Types.
      {"\"threads_max\": 4", "\"threads_max\": \"4\"",
       "x.json:20:18: #/threads_max: error: expected an integer, found a string [wrong-type]"},
      {"\"threads_max\": 4", "\"threads_max\": 4.0",
       "x.json:20:18: #/threads_max: error: expected an integer, found a number with a fraction or "
       "exponent [wrong-type]"},
      {"\"threads_max\": 4", "\"threads_max\": null",
       "x.json:20:18: #/threads_max: error: expected an integer, found null [wrong-type]"},
      {"\"name\": \"x\"", "\"name\": [\"x\"]",
       "x.json:2:11: #/name: error: expected a string, found an array [wrong-type]"},
      {"[\"g++\"]", "\"g++\"",
       "x.json:22:33: #/compilers/0/command: error: expected an array, found a string "
       "[wrong-type]"},
      {"[\"fma\", \"gather\"]", "{\"fma\": true}",
       "x.json:11:19: #/instructions: error: expected an array, found an object [wrong-type]"},
      // Values.
      {"\"threads_max\": 4", "\"threads_max\": 0",
       "x.json:20:18: #/threads_max: error: 0 is outside [1, 1024] [out-of-range]"},
      {"\"threads_max\": 4", "\"threads_max\": -4",
       "x.json:20:18: #/threads_max: error: -4 is outside [1, 1024] [out-of-range]"},
      {"\"size_bytes\": 32768", "\"size_bytes\": 9223372036854775807",
       "x.json:15:23: #/memory/caches/0/size_bytes: error: 9223372036854775807 is outside [1024, "
       "1099511627776] [out-of-range]"},
      {"\"size_bytes\": 32768", "\"size_bytes\": 9223372036854775808",
       "x.json:15:23: #/memory/caches/0/size_bytes: error: integer '9223372036854775808' does not "
       "fit 64 bits [out-of-range]"},
      {"\"clock_mhz\": 3000", "\"clock_mhz\": 1e400",
       "x.json:6:98: #/machine/clock_mhz: error: number '1e400' is too large for a double "
       "[out-of-range]"},
      {"\"vector_bytes\": 32", "\"vector_bytes\": 33",
       "x.json:8:21: #/vector/vector_bytes: error: 33 is not one of 0, 8, 16, 32, 64, 128, 256 "
       "[bad-value]"},
      {"\"little\"", "\"Little\"",
       "x.json:6:50: #/machine/byte_order: error: 'Little' is not one of 'little', 'big' "
       "[bad-value]; did "
       "you mean 'little'?"},
      {"\"x86_64\"", "\"x86-64\"",
       "x.json:4:10: #/isa: error: 'x86-64' is not one of 'generic', 'x86_64', 'aarch64', "
       "'hexagon' "
       "[bad-value]; did you mean 'x86_64'?"},
      {"\"fma\", \"gather\"", "\"fma\", \"gather\", \"fma\"",
       "x.json:11:37: #/instructions/2: error: 'fma' is given twice [bad-value]"},
      {"\"name\": \"x\"", "\"name\": \"../x\"",
       "x.json:2:11: #/name: error: '../x' does not match ^[a-z0-9]+([.-][a-z0-9]+)*$ [bad-value]"},
      {"\"name\": \"x\"", "\"name\": \"\"",
       "x.json:2:11: #/name: error: '' does not match ^[a-z0-9]+([.-][a-z0-9]+)*$ [bad-value]"},
      {"\"-O3\"", "\"-O3;rm -rf\"",
       "x.json:22:60: #/compilers/0/compile_flags/0: error: '-O3;rm -rf' does not match "
       "^[A-Za-z0-9_./=+,:@%-]*$ [bad-value]"},
      {"\"-O3\"", "\"-O3\\n\"",
       "x.json:22:60: #/compilers/0/compile_flags/0: error: '-O3\\x0a' does not match "
       "^[A-Za-z0-9_./=+,:@%-]*$ [bad-value]"},
      {"[\"g++\"]", "[]",
       "x.json:22:33: #/compilers/0/command: error: an array of 0 is outside [1, 16] "
       "[out-of-range]"},
      // Fields that contradict each other.
      {"\"arena_align_bytes\": 64", "\"arena_align_bytes\": 16",
       "x.json:6:81: #/machine/arena_align_bytes: error: the arena is aligned to fewer bytes than "
       "a vector "
       "has [inconsistent-hardware]"},
      {"\"vector_bytes\": 32", "\"vector_bytes\": 0",
       "x.json:11:19: #/instructions: error: a vector instruction is listed, but vector_bytes is 0 "
       "[inconsistent-hardware]"},
      {"\"threads_max\": 4",
       "\"threads_max\": 4, \"integer_vector\": { \"vector_bytes\": 128, \"registers\": 32, "
       "\"loads_per_cycle\": 1, \"stores_per_cycle\": 1 }",
       "x.json:6:81: #/machine/arena_align_bytes: error: the arena is aligned to fewer bytes than "
       "a vector has [inconsistent-hardware]"},
      {"\"threads_max\": 4",
       "\"threads_max\": 4, \"integer_vector\": { \"vector_bytes\": 64, \"registers\": 32, "
       "\"loads_per_cycle\": 1 }",
       "x.json:20:39: #/integer_vector: error: key 'stores_per_cycle' is missing [missing-key]"},
      {"\"byte_order\": \"little\"", "\"byte_order\": \"big\"",
       "x.json:6:50: #/machine/byte_order: error: weights are written in little-endian order; "
       "nothing turns them yet [inconsistent-hardware]"},
      {"\"gather\"", "\"half_arithmetic\"",
       "x.json:11:19: #/instructions: error: half_arithmetic is listed without half_convert "
       "[inconsistent-hardware]"},
      {"\"size_bytes\": 262144", "\"size_bytes\": 32768",
       "x.json:16:23: #/memory/caches/1/size_bytes: error: cache is not larger than the one before "
       "it "
       "[inconsistent-hardware]; list caches from the nearest outwards"},
      {"\"threads_max\": 4", "\"threads_max\": 4, \"packer\": \"a/../../b.json\"",
       "x.json:20:31: #/packer: error: the path leaves the folder of this file "
       "[inconsistent-hardware]"},
      {"\"link_flags\": [] }",
       "\"link_flags\": [] }, { \"name\": \"g++\", \"command\": [\"c\"], \"compile_flags\": [], "
       "\"link_flags\": [] }",
       "x.json:22:118: #/compilers/1/name: error: two compilers are named 'g++' "
       "[inconsistent-hardware]"},
      // Text that is not JSON.
      {"\"threads_max\": 4,", "\"threads_max\": 4, // cores",
       "x.json:20:21: error: unexpected '/' [malformed-json]; JSON has no comments; the schema "
       "allows a "
       "\"description\" instead"},
      {"\"x86_64\"", "\"x86\xff\"", "x.json:4:14: error: byte '\\xff' is not UTF-8 [not-utf8]"},
  };
  for (const Edit& edit : edits) {
    EXPECT_EQ(refusal_of(edited(edit.from, edit.to)), edit.line) << edit.to;
  }
}

TEST(ConfigErrors, EveryTruncationIsRefusedAtTheEnd) {
  const std::string good = kGood;
  for (size_t size = 1; size + 2 < good.size(); ++size) {
    const std::string line = refusal_of(good.substr(0, size));
    EXPECT_TRUE(line.find("[malformed-json]") != line.npos) << size << ": " << line;
  }
}

TEST(ConfigErrors, MutatedBytesAreAcceptedOrRefusedInPrintableLines) {
  std::mt19937 random(1);
  constexpr std::string_view kBytes = "\"{}[],:\\0123456789eE+-. \ntruefalsn/*\x80\xFF";
  int accepted = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = kGood;
    for (size_t edits = 1 + random() % 3; edits > 0; --edits) {
      const size_t at = random() % text.size();
      const char byte =
          random() % 4 != 0 ? kBytes[random() % kBytes.size()] : static_cast<char>(random());
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 4);
      } else if (random() % 2 == 0) {
        text.insert(at, 1, byte);
      } else {
        text[at] = byte;
      }
    }
    const std::string lines = refusal_of(text);
    accepted += lines == "accepted" ? 1 : 0;
    for (const char c : lines) ASSERT_TRUE((c >= 0x20 && c < 0x7f) || c == '\n') << text;
  }
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 4000);
}

TEST(ConfigErrors, DepthBombsAreRefused) {
  std::string bomb;
  for (int i = 0; i < 40000; ++i) bomb += "{\"a\":";
  EXPECT_EQ(refusal_of(bomb),
            "x.json:1:321: error: nested deeper than 64 arrays and objects [json-limit]");
}

// A description has some hundreds of values; nobody looks at a million keys one by one.
TEST(ConfigErrors, LargeOnesAreRefused) {
  std::string keys = "{";
  for (int i = 0; i < 20000; ++i) keys += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(refusal_of(keys + "\"k\":0}"),
            "x.json:1:98890: error: more than 10000 values [json-limit]");
  EXPECT_EQ(refusal_of("\"" + std::string(300000, 'a') + "\""),
            "x.json: error: the file is larger than 262144 bytes [json-limit]");
}

TEST(ConfigErrors, AllViolationsAreListedUpToALimit) {
  std::string many = "{";
  for (int i = 0; i < 1000; ++i) many += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":0";
  const std::string text = refusal_of(many + "}");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 19) << text;
  EXPECT_TRUE(text.starts_with("x.json:1:7: #/k0: error: unknown key 'k0' [unknown-key]\n"))
      << text;
}

TEST(ConfigErrors, LongNamesAreRefusedQuickly) {
  const std::string longest(100000, 'a');
  EXPECT_EQ(
      refusal_of(edited("\"name\": \"x\"", "\"name\": \"" + longest + "\"")),
      "x.json:2:11: #/name: error: a string of 100000 bytes is outside [..., 63] [out-of-range]");
}

}  // namespace
}  // namespace burin::config_test
