// Descriptions become values; every description in configs/ is good and says what its README says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "hardware/capabilities.h"
#include "hardware/json_file.h"
#include "hardware/load.h"

namespace burin::hardware_load_test {
namespace {

std::vector<std::filesystem::path> descriptions() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(BURIN_SOURCE_DIR "/configs")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && !name.ends_with("schema.json")) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(HardwareLoad, EveryDescriptionInConfigsIsGood) {
  const auto paths = descriptions();
  EXPECT_GE(paths.size(), 5u);
  for (const auto& path : paths) {
    const Hardware hardware = load_hardware(path.string());
    EXPECT_EQ(hardware.name, path.stem().string());
    EXPECT_FALSE(hardware.description.empty()) << path;
    EXPECT_GE(hardware.arena_align_bytes, hardware.memory.cache_line_bytes) << path;
    // One copy of every value: the same text gives the same Hardware, and the listing shows its
    // name.
    EXPECT_EQ(parse_hardware(text_of(path), "again"), hardware);
    EXPECT_TRUE(to_string(hardware).starts_with("name = " + hardware.name + "\n"));
  }
}

// Every key of every "properties" object in a schema.
void collect_fields(const JsonValue& schema, std::set<std::string>& fields) {
  if (schema.kind() != JsonKind::kObject) return;
  for (size_t i = 0; i < schema.size(); ++i) {
    if (schema.key(i) == "properties") {
      for (size_t j = 0; j < schema[i].size(); ++j) fields.insert(schema[i].key(j));
    }
    collect_fields(schema[i], fields);
  }
}

TEST(HardwareLoad, ReadmeExplainsEveryField) {
  const std::string readme = text_of(BURIN_SOURCE_DIR "/configs/README.md");
  std::set<std::string> fields;
  collect_fields(read_json_file(BURIN_SOURCE_DIR "/configs/schema.json").root(), fields);
  fields.erase("$schema");
  EXPECT_GE(fields.size(), 35u);
  for (const std::string& field : fields) {
    EXPECT_NE(readme.find("`" + field + "`"), readme.npos) << field;
  }
}

TEST(HardwareLoad, FieldsArriveWhereTheyBelong) {
  const Hardware n1 = load_hardware(BURIN_SOURCE_DIR "/configs/armv8-neoverse-n1.json");
  EXPECT_EQ(n1.isa, Isa::kAarch64);
  EXPECT_EQ(n1.vector.vector_bytes, 16);
  EXPECT_EQ(n1.vector.registers, 26);
  EXPECT_EQ(n1.vector.lanes(4), 4);
  EXPECT_EQ(n1.vector.lanes(1), 16);
  EXPECT_TRUE(n1.instructions.dot_s8_s8);
  EXPECT_TRUE(n1.instructions.half_arithmetic);
  EXPECT_FALSE(n1.instructions.dot_u8_s8);
  EXPECT_EQ(n1.runner.front(), "qemu-aarch64");
  ASSERT_NE(n1.find_compiler("clang++"), nullptr);
  EXPECT_EQ(n1.find_compiler("clang++")->command.size(), 2u);
  EXPECT_EQ(n1.find_compiler("icc"), nullptr);

  const Hardware hexagon = load_hardware(BURIN_SOURCE_DIR "/configs/hexagon-v66.json");
  EXPECT_EQ(hexagon.pointer_bits, 32);
  EXPECT_EQ(hexagon.profile, Profile::kFreestanding);
  EXPECT_EQ(hexagon.program, ProgramKind::kBareLinux);
  EXPECT_EQ(hexagon.vector.lanes(4), 1);
  ASSERT_TRUE(hexagon.integer_vector.has_value());
  EXPECT_EQ(hexagon.integer_vector->lanes(4), 32);
  EXPECT_EQ(integer_unit(hexagon).loads_per_cycle, 1);
  EXPECT_EQ(hexagon.vector.loads_per_cycle, 2);
  EXPECT_EQ(integer_unit(n1), n1.vector);
  EXPECT_EQ(hexagon.support_routines.front(), "__hexagon_divsi3");

  const Hardware v4 = load_hardware(BURIN_SOURCE_DIR "/configs/x86-64-v4-vnni.json");
  EXPECT_TRUE(v4.instructions.mask);
  EXPECT_EQ(v4.memory.caches.size(), 3u);
  EXPECT_EQ(v4.memory.caches[1].size_bytes, 1048576);
  EXPECT_EQ(v4.vector.lanes(2), 32);
}

TEST(HardwareLoad, ListingShowsEveryField) {
  Hardware base = load_hardware(BURIN_SOURCE_DIR "/configs/cpp-generic.json");
  const std::string before = to_string(base);
  const auto changes = [&](auto&& edit) {
    Hardware changed = base;
    edit(changed);
    return !(changed == base) && to_string(changed) != before;
  };
  EXPECT_TRUE(changes([](Hardware& h) { h.name = "y"; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.isa = Isa::kHexagon; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.profile = Profile::kFreestanding; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.pointer_bits = 32; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.byte_order = ByteOrder::kBig; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.arena_align_bytes = 8; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.clock_mhz = 1; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.vector.registers = 1; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.vector.stores_per_cycle = 9; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.integer_vector = h.vector; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.instructions.mask = true; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.memory.caches[0].latency_cycles = 1; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.threads_max = 9; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.thread_start_us = 9; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.compilers[0].link_flags = {"-x"}; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.runner = {"r"}; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.support_routines = {"r"}; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.program = ProgramKind::kBareLinux; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.optimise = Optimise::kSize; }));
  EXPECT_TRUE(changes([](Hardware& h) { h.packer = "p.json"; }));
}

}  // namespace
}  // namespace burin::hardware_load_test
