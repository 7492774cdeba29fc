// The listing of a description: every field, one in a line.
#include "hardware/instruction_fields.h"
#include "hardware/load.h"

namespace burin {

std::string to_string(const Hardware& hardware) {
  std::string out;
  const auto line = [&](const char* key, const std::string& value) {
    out += std::string(key) + " = " + value + "\n";
  };
  const auto list = [&](const char* key, const std::vector<std::string>& values) {
    std::string joined;
    for (const std::string& value : values) joined += (joined.empty() ? "" : " ") + value;
    line(key, joined);
  };
  const auto number = [&](const char* key, int64_t value) { line(key, std::to_string(value)); };
  line("name", hardware.name);
  line("target", name_of(hardware.target));
  line("isa", name_of(hardware.isa));
  line("profile", name_of(hardware.profile));
  line("optimise", name_of(hardware.optimise));
  number("pointer_bits", hardware.pointer_bits);
  line("byte_order", name_of(hardware.byte_order));
  number("arena_align_bytes", hardware.arena_align_bytes);
  number("clock_mhz", hardware.clock_mhz);
  number("vector_bytes", hardware.vector.vector_bytes);
  number("registers", hardware.vector.registers);
  number("fma_per_cycle", hardware.vector.fma_per_cycle);
  number("fma_latency_cycles", hardware.vector.fma_latency_cycles);
  number("loads_per_cycle", hardware.vector.loads_per_cycle);
  number("stores_per_cycle", hardware.vector.stores_per_cycle);
  number("exposed_load_percent", hardware.vector.exposed_load_percent);
  number("function_cycles", hardware.vector.function_cycles);
  number("division_cycles", hardware.vector.division_cycles);
  number("integer_division_cycles", hardware.vector.integer_division_cycles);
  number("turn_cycles", hardware.vector.turn_cycles);
  number("vector_function_cycles", hardware.vector.vector_function_cycles);
  number("issue_per_cycle", hardware.vector.issued_per_cycle());
  if (hardware.integer_vector) {
    line("integer_vector", "");
    number("  vector_bytes", hardware.integer_vector->vector_bytes);
    number("  registers", hardware.integer_vector->registers);
    number("  loads_per_cycle", hardware.integer_vector->loads_per_cycle);
    number("  stores_per_cycle", hardware.integer_vector->stores_per_cycle);
  }
  std::vector<std::string> names;
  for (const InstructionField& field : kInstructionFields) {
    if (hardware.instructions.*field.member) names.push_back(field.name);
  }
  list("instructions", names);
  for (const RowTiming& row : hardware.rows) {
    line("row",
         row.instruction + ", " + std::to_string(row.per_cycle) + " per cycle, " +
             std::to_string(row.latency_cycles) + " cycles" +
             (row.operations > 1 ? ", " + std::to_string(row.operations) + " operations" : ""));
  }
  number("cache_line_bytes", hardware.memory.cache_line_bytes);
  for (const Cache& cache : hardware.memory.caches) {
    line("cache", std::to_string(cache.size_bytes) + " bytes, " +
                      std::to_string(cache.latency_cycles) + " cycles, " +
                      std::to_string(cache.bandwidth_bytes_per_cycle) +
                      " bytes per cycle, shared by " + std::to_string(cache.shared_by_threads) +
                      (cache.ways > 0 ? ", " + std::to_string(cache.ways) + " ways" : ""));
  }
  number("bandwidth_mb_per_s", hardware.memory.bandwidth_mb_per_s);
  if (hardware.memory.latency_cycles > 0)
    number("memory_latency_cycles", hardware.memory.latency_cycles);
  if (hardware.target == Target::kOpenCl) {
    const OpenClDevice& device = hardware.opencl;
    line("opencl", std::string(device.fp64 ? "fp64 " : "") + (device.fp16 ? "fp16" : ""));
    number("  compute_units", device.compute_units);
    number("  wave_size", device.wave_size);
    number("  lanes", device.lanes);
    number("  vector_width", device.vector_width);
    number("  operation_cycles", device.operation_cycles);
    number("  function_cycles", device.function_cycles);
    number("  division_cycles", device.division_cycles);
    number("  local_wait_cycles", device.local_wait_cycles);
    number("  memory_wait_percent", device.memory_wait_percent);
    number("  item_registers_max", device.item_registers_max);
    number("  items_max", device.items_max);
    number("  register_bytes", device.register_bytes);
    number("  launch_us", device.launch_us);
    number("  work_group_size", device.work_group_size);
    number("  work_group_size_max", device.work_group_size_max);
    std::vector<std::string> sizes;
    for (const int64_t size : device.work_item_sizes_max) sizes.push_back(std::to_string(size));
    list("  work_item_sizes_max", sizes);
    number("  local_memory_bytes", device.local_memory_bytes);
    number("  unit_local_memory_bytes", device.unit_local_memory_bytes);
    number("  parameter_bytes_max", device.parameter_bytes_max);
    number("  allocation_bytes_max", device.allocation_bytes_max);
    number("  memory_bytes", device.memory_bytes);
    const DeviceImages& images = device.images;
    line("  images", std::string(images.f32 ? "f32 " : "") + (images.f16 ? "f16" : ""));
    number("    width_max", images.width_max);
    number("    height_max", images.height_max);
    number("    read_arguments_max", images.read_arguments_max);
    number("    written_arguments_max", images.written_arguments_max);
    number("    texel_read_percent", images.texel_read_percent);
  }
  number("threads_max", hardware.threads_max);
  number("thread_start_us", hardware.thread_start_us);
  list("support_routines", hardware.support_routines);
  for (const Compiler& compiler : hardware.compilers) {
    line("compiler", compiler.name);
    list("  command", compiler.command);
    list("  compile_flags", compiler.compile_flags);
    list("  link_flags", compiler.link_flags);
  }
  list("runner", hardware.runner);
  line("program", name_of(hardware.program));
  line("packer", hardware.packer);
  return out;
}

}  // namespace burin
