#include "hardware/load.h"

#include <algorithm>

#include "hardware/capabilities.h"
#include "hardware/instruction_fields.h"
#include "hardware/json_file.h"
#include "hardware/schema.h"
#include "support/diagnostics.h"
#include "support/embedded.h"
#include "support/file_bytes.h"
#include "support/sha256.h"
#include "support/spelling.h"

namespace burin {
namespace {

template <class Enum>
Enum named(const JsonValue& value, std::initializer_list<Enum> all) {
  for (const Enum one : all) {
    if (value.as_string() == name_of(one)) return one;
  }
  value.refuse("bad-value", quoted(value.as_string()) + " is not known");
}

int integer(const JsonValue& object, const char* key) {
  return static_cast<int>(object.at(key).as_integer(INT32_MIN, INT32_MAX));
}

std::vector<std::string> strings(const JsonValue& array) {
  std::vector<std::string> out;
  for (size_t i = 0; i < array.size(); ++i) out.push_back(array[i].as_string());
  return out;
}

// A field that a description may leave out keeps what hardware.h says.
void read_optional(const JsonValue& json, const char* key, int& field) {
  if (json.has(key)) field = integer(json, key);
}

VectorUnit read_vector(const JsonValue& json) {
  VectorUnit out = {.vector_bytes = integer(json, "vector_bytes"),
                    .registers = integer(json, "registers"),
                    .fma_per_cycle = integer(json, "fma_per_cycle"),
                    .fma_latency_cycles = integer(json, "fma_latency_cycles"),
                    .loads_per_cycle = integer(json, "loads_per_cycle"),
                    .stores_per_cycle = integer(json, "stores_per_cycle")};
  read_optional(json, "exposed_load_percent", out.exposed_load_percent);
  read_optional(json, "function_cycles", out.function_cycles);
  read_optional(json, "division_cycles", out.division_cycles);
  read_optional(json, "integer_division_cycles", out.integer_division_cycles);
  read_optional(json, "turn_cycles", out.turn_cycles);
  read_optional(json, "vector_function_cycles", out.vector_function_cycles);
  read_optional(json, "issue_per_cycle", out.issue_per_cycle);
  return out;
}

// The rest is what vectors of floats have.
VectorUnit read_integer_vector(const JsonValue& json, VectorUnit out) {
  out.vector_bytes = integer(json, "vector_bytes");
  out.registers = integer(json, "registers");
  out.loads_per_cycle = integer(json, "loads_per_cycle");
  out.stores_per_cycle = integer(json, "stores_per_cycle");
  return out;
}

Instructions read_instructions(const JsonValue& json) {
  Instructions out;
  for (const std::string& name : strings(json)) {
    for (const InstructionField& field : kInstructionFields) {
      if (name == field.name) out.*field.member = true;
    }
  }
  return out;
}

std::vector<RowTiming> read_rows(const JsonValue& json) {
  std::vector<RowTiming> out;
  for (size_t i = 0; i < json.size(); ++i) {
    out.push_back({.instruction = json.key(i),
                   .per_cycle = integer(json[i], "per_cycle"),
                   .latency_cycles = integer(json[i], "latency_cycles")});
    read_optional(json[i], "operations", out.back().operations);
  }
  return out;
}

Memory read_memory(const JsonValue& json) {
  Memory out;
  out.cache_line_bytes = integer(json, "cache_line_bytes");
  out.bandwidth_mb_per_s = json.at("bandwidth_mb_per_s").as_integer();
  read_optional(json, "latency_cycles", out.latency_cycles);
  const JsonValue caches = json.at("caches");
  for (size_t i = 0; i < caches.size(); ++i) {
    out.caches.push_back(
        {.size_bytes = caches[i].at("size_bytes").as_integer(),
         .latency_cycles = integer(caches[i], "latency_cycles"),
         .bandwidth_bytes_per_cycle = integer(caches[i], "bandwidth_bytes_per_cycle"),
         .shared_by_threads = integer(caches[i], "shared_by_threads")});
    read_optional(caches[i], "ways", out.caches.back().ways);
    if (i > 0 && out.caches[i].size_bytes <= out.caches[i - 1].size_bytes) {
      caches[i]
          .at("size_bytes")
          .refuse("inconsistent-hardware", "cache is not larger than the one before it",
                  "list caches from the nearest outwards");
    }
  }
  return out;
}

DeviceImages read_images(const JsonValue& json) {
  DeviceImages out;
  out.width_max = integer(json, "width_max");
  out.height_max = integer(json, "height_max");
  for (const std::string& name : strings(json.at("components"))) {
    if (name == "f32") out.f32 = true;
    if (name == "f16") out.f16 = true;
  }
  out.read_arguments_max = integer(json, "read_arguments_max");
  out.written_arguments_max = integer(json, "written_arguments_max");
  out.texel_read_percent = integer(json, "texel_read_percent");
  return out;
}

OpenClDevice read_opencl(const JsonValue& json) {
  OpenClDevice out;
  for (const std::string& name : strings(json.at("has"))) {
    if (name == "fp64") out.fp64 = true;
    if (name == "fp16") out.fp16 = true;
  }
  out.compute_units = integer(json, "compute_units");
  out.wave_size = integer(json, "wave_size");
  out.lanes = integer(json, "lanes");
  out.vector_width = integer(json, "vector_width");
  read_optional(json, "operation_cycles", out.operation_cycles);
  read_optional(json, "function_cycles", out.function_cycles);
  read_optional(json, "division_cycles", out.division_cycles);
  read_optional(json, "local_wait_cycles", out.local_wait_cycles);
  read_optional(json, "memory_wait_percent", out.memory_wait_percent);
  read_optional(json, "item_registers_max", out.item_registers_max);
  out.items_max = integer(json, "items_max");
  out.register_bytes = json.at("register_bytes").as_integer();
  out.launch_us = integer(json, "launch_us");
  out.work_group_size = integer(json, "work_group_size");
  out.work_group_size_max = integer(json, "work_group_size_max");
  const JsonValue sizes = json.at("work_item_sizes_max");
  for (size_t i = 0; i < sizes.size(); ++i)
    out.work_item_sizes_max.push_back(sizes[i].as_integer());
  out.local_memory_bytes = json.at("local_memory_bytes").as_integer();
  out.unit_local_memory_bytes = json.at("unit_local_memory_bytes").as_integer();
  out.parameter_bytes_max = integer(json, "parameter_bytes_max");
  out.allocation_bytes_max = json.at("allocation_bytes_max").as_integer();
  out.memory_bytes = json.at("memory_bytes").as_integer();
  if (json.has("images")) out.images = read_images(json.at("images"));
  return out;
}

std::vector<Compiler> read_compilers(const JsonValue& json) {
  std::vector<Compiler> out;
  for (size_t i = 0; i < json.size(); ++i) {
    const JsonValue name = json[i].at("name");
    for (const Compiler& other : out) {
      if (other.name != name.as_string()) continue;
      name.refuse("inconsistent-hardware", "two compilers are named " + quoted(other.name));
    }
    out.push_back({.name = name.as_string(),
                   .command = strings(json[i].at("command")),
                   .compile_flags = strings(json[i].at("compile_flags")),
                   .link_flags = strings(json[i].at("link_flags"))});
  }
  return out;
}

// Rules between fields.
void check_consistent(const JsonValue& json, const Hardware& hardware) {
  const auto contradiction = [](const JsonValue& at, const std::string& message) {
    at.refuse("inconsistent-hardware", message);
  };
  const int integer_bytes = integer_unit(hardware).vector_bytes;
  if (hardware.arena_align_bytes < std::max(hardware.vector.vector_bytes, integer_bytes)) {
    contradiction(json.at("machine").at("arena_align_bytes"),
                  "the arena is aligned to fewer bytes than a vector has");
  }
  if (hardware.byte_order == ByteOrder::kBig) {
    contradiction(json.at("machine").at("byte_order"),
                  "weights are written in little-endian order; nothing turns them yet");
  }
  const Instructions& has = hardware.instructions;
  const bool vectors_only = has.vector_popcount || has.vector_permute || has.gather || has.mask ||
                            has.dot_u8_s8 || has.dot_s8_s8 || has.dot_u8_u8 || has.bfloat_dot;
  if (integer_bytes == 0 && vectors_only) {
    contradiction(json.at("instructions"), "a vector instruction is listed, but vector_bytes is 0");
  }
  if (integer_bytes == 0 && !hardware.rows.empty())
    contradiction(json.at("rows"), "a vector instruction is listed, but vector_bytes is 0");
  if (has.half_arithmetic && !has.half_convert) {
    contradiction(json.at("instructions"), "half_arithmetic is listed without half_convert");
  }
  if (hardware.target == Target::kOpenCl) {
    const OpenClDevice& device = hardware.opencl;
    for (const char* key : {"rows", "integer_vector"}) {
      if (json.has(key))
        contradiction(json.at(key), std::string(key) + " is said of a CPU, not of a device");
    }
    if (hardware.profile != Profile::kHosted)
      contradiction(json.at("profile"), "a tree that loads OpenCL is hosted");
    if (hardware.threads_max > 1)
      contradiction(json.at("threads_max"), "work-items share loops, not threads of the caller");
    if (device.work_group_size > device.work_group_size_max)
      contradiction(json.at("opencl").at("work_group_size"), "above work_group_size_max");
    if (device.allocation_bytes_max > device.memory_bytes)
      contradiction(json.at("opencl").at("allocation_bytes_max"), "above memory_bytes");
  }
  for (const std::string& part : {std::string(".."), std::string("//")}) {
    if (hardware.packer.find(part) != std::string::npos) {
      contradiction(json.at("packer"), "the path leaves the folder of this file");
    }
  }
}

Hardware read_hardware(const JsonValue& json) {
  Hardware out;
  out.name = json.at("name").as_string();
  if (json.has("description")) out.description = json.at("description").as_string();
  out.target = named(json.at("target"), {Target::kCpp, Target::kOpenCl});
  out.isa = named(json.at("isa"), {Isa::kGeneric, Isa::kX86_64, Isa::kAarch64, Isa::kHexagon});
  out.profile = named(json.at("profile"), {Profile::kHosted, Profile::kFreestanding});
  if (json.has("optimise")) {
    out.optimise = named(json.at("optimise"), {Optimise::kSpeed, Optimise::kSize});
  }
  const JsonValue machine = json.at("machine");
  out.pointer_bits = integer(machine, "pointer_bits");
  out.byte_order = named(machine.at("byte_order"), {ByteOrder::kLittle, ByteOrder::kBig});
  out.arena_align_bytes = integer(machine, "arena_align_bytes");
  out.clock_mhz = integer(machine, "clock_mhz");
  // What a CPU must say of its vectors, a device says of its work-items.
  const bool opencl = out.target == Target::kOpenCl;
  if (json.has("opencl") != opencl) {
    json.at("target").refuse("inconsistent-hardware",
                             opencl ? "a target of opencl needs the section \"opencl\""
                                    : "only a target of opencl has the section \"opencl\"");
  }
  if (opencl) {
    out.opencl = read_opencl(json.at("opencl"));
  } else {
    out.vector = read_vector(json.at("vector"));
    out.instructions = read_instructions(json.at("instructions"));
    if (json.has("integer_vector"))
      out.integer_vector = read_integer_vector(json.at("integer_vector"), out.vector);
    if (json.has("rows")) out.rows = read_rows(json.at("rows"));
  }
  out.memory = read_memory(json.at("memory"));
  out.threads_max = integer(json, "threads_max");
  read_optional(json, "thread_start_us", out.thread_start_us);
  if (json.has("support_routines")) out.support_routines = strings(json.at("support_routines"));
  out.compilers = read_compilers(json.at("compilers"));
  if (json.has("runner")) out.runner = strings(json.at("runner"));
  if (json.has("program")) {
    out.program = named(json.at("program"),
                        {ProgramKind::kHosted, ProgramKind::kBareLinux, ProgramKind::kSemihosting});
  }
  if (json.has("packer")) out.packer = json.at("packer").as_string();
  check_consistent(json, out);
  return out;
}

Hardware validated(const JsonDocument& document) {
  const JsonDocument schema =
      read_json_text(embedded_file("configs/schema.json"), "configs/schema.json");
  validate(document.root(), schema.root());
  return read_hardware(document.root());
}

}  // namespace

Hardware load_hardware(const std::string& path) {
  return parse_hardware(
      located({.file = path},
              [&] { return read_file(path, kDescriptionLimits.bytes, "json-limit"); }),
      path);
}

Hardware parse_hardware(std::string_view text, const std::string& name) {
  Hardware out = validated(read_json_text(text, name, kDescriptionLimits));
  out.sha256 = sha256_hex(text);
  out.text = text;
  return out;
}

}  // namespace burin
