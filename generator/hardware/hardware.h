// Hardware: everything a plan may know about one piece of hardware, as plain values. It comes from
// a description in configs/ (see configs/README.md for the meaning, unit and source of every
// field); no pass and no backend holds a number about hardware of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace burin {

enum class Target { kCpp, kOpenCl };
enum class Isa { kGeneric, kX86_64, kAarch64, kHexagon };
enum class ByteOrder { kLittle, kBig };
enum class Profile { kHosted, kFreestanding };
enum class Optimise {
  kSpeed,
  kSize
};  // what decides between code that is fast and code that is short
// How a test program starts and reads its files.
enum class ProgramKind { kHosted, kBareLinux, kSemihosting };

// The names that configs/ uses: "cpp", "opencl", "x86_64", "little", "hosted", "size",
// "bare_linux".
const char* name_of(Target target);
const char* name_of(Isa isa);
const char* name_of(ByteOrder order);
const char* name_of(Profile profile);
const char* name_of(Optimise optimise);
const char* name_of(ProgramKind program);

// One core's registers and pipes, as the fast loops use them: vector registers of vector_bytes, or
// scalar registers where vector_bytes is 0. Floats and integers share one, or integers have their
// own (capabilities.h).
struct VectorUnit {
  int vector_bytes = 0;
  int registers = 1;
  int fma_per_cycle = 1;       // instructions started per cycle
  int fma_latency_cycles = 1;  // from an operand to the sum
  int loads_per_cycle = 1;     // instructions, one full register each
  int stores_per_cycle = 1;
  // Of a cycle that a load takes from multiply-adds beside it, although there are pipes for both:
  // it comes from further away than the nearest cache, or lies across two of its lines.
  int exposed_load_percent = 30;
  int function_cycles = 8;          // of one element of exp, log, erf and their like
  int vector_function_cycles = 14;  // of one vector of floats, of exp; others take some times that
  // Of one division: of a vector of floats, of one integer.
  int division_cycles = 5, integer_division_cycles = 12;
  int turn_cycles = 1;  // of a loop's turn besides its body: count, compare, jump

  // Instructions of all kinds started per cycle; 0: as many as there are pipes for them, and one.
  int issue_per_cycle = 0;

  bool operator==(const VectorUnit&) const = default;

  int issued_per_cycle() const {
    return issue_per_cycle > 0 ? issue_per_cycle
                               : fma_per_cycle + loads_per_cycle + stores_per_cycle + 1;
  }

  // Elements of a type in one vector register; 1 without a vector unit.
  int lanes(int element_bytes) const {
    return vector_bytes < element_bytes ? 1 : vector_bytes / element_bytes;
  }
};

// What the compiler turns into one instruction, or a few, without calling a routine.
struct Instructions {
  bool fma = false;  // a*b+c rounded once, f32 and f64
  bool sqrt_f32 = false;
  bool sqrt_f64 = false;
  bool round = false;            // floor, ceil, trunc, rint of f32 and f64
  bool half_convert = false;     // f16 <-> f32
  bool half_arithmetic = false;  // f16 add, mul, fma
  bool bfloat_dot = false;       // pairs of bf16 into f32
  bool dot_u8_s8 = false;        // groups of 4 products into int32, exact
  bool dot_s8_s8 = false;
  bool dot_u8_u8 = false;
  bool vector_popcount = false;
  bool vector_permute = false;  // any permutation of one register's elements
  bool gather = false;
  bool mask = false;  // masked loads and stores that cannot fault

  bool operator==(const Instructions&) const = default;
};

// One row of isa/ that the compilers of a description have, by the instruction's name there.
struct RowTiming {
  std::string instruction;
  int per_cycle = 1;       // instructions started per cycle
  int latency_cycles = 1;  // from the accumulator operand to the result
  int operations = 1;      // that start for it where it stands for several instructions
  bool operator==(const RowTiming&) const = default;
};

// One level, nearest first.
struct Cache {
  int64_t size_bytes = 0;
  int latency_cycles = 0;             // of a load that hits here
  int bandwidth_bytes_per_cycle = 0;  // into the level above, one thread
  int shared_by_threads = 1;
  int ways = 0;  // lines of a set; 0: not said

  bool operator==(const Cache&) const = default;
};

struct Memory {
  int cache_line_bytes = 64;
  std::vector<Cache> caches;       // at least one
  int64_t bandwidth_mb_per_s = 0;  // main memory, all threads together, MB = 10^6 bytes
  int latency_cycles = 0;          // until a line comes from it; 0: lines are not asked for ahead

  bool operator==(const Memory&) const = default;
};

// 2D images of RGBA texels, of a device that has them (SmartMem 3.3).
struct DeviceImages {
  int width_max = 0, height_max = 0;  // texels; 0: there are no images
  bool f32 = false, f16 = false;      // components that texels have: CL_FLOAT, CL_HALF_FLOAT
  int read_arguments_max = 0;         // images that one kernel may read
  int written_arguments_max = 0;      // images that one kernel may write
  int texel_read_percent = 100;       // of the time that an element of a buffer takes

  bool operator==(const DeviceImages&) const = default;
};

// A device with OpenCL. What it lacks is refused while generating; a tree looks again when its
// context is made.
struct OpenClDevice {
  bool fp64 = false;  // doubles: cl_khr_fp64, or a device of full profile 1.2 that has them
  bool fp16 = false;  // arithmetic in fp16: cl_khr_fp16; storing them needs nothing
  int compute_units = 1;
  int wave_size = 1;              // work-items that run in step
  int lanes = 1;                  // multiply-adds in f32 that a compute unit starts per cycle
  int vector_width = 4;           // floats that a work-item loads at once
  int operation_cycles = 4;       // until the next operation of a work-item can use a result
  int function_cycles = 100;      // of a work-item, for one exp, log, erf or their like
  int division_cycles = 40;       // likewise
  int local_wait_cycles = 16;     // of a work-item alone on its compute unit, for local memory
  int memory_wait_percent = 360;  // of the last cache's latency: likewise, for main memory
  int item_registers_max = 160;   // of 4 bytes; compilers give a work-item no more
  int items_max = 1;              // work-items that a compute unit holds at a time
  int64_t register_bytes = 0;     // of a compute unit, shared by the work-items that it holds
  int launch_us = 0;              // from one kernel of a queue to the next
  int work_group_size = 1;        // that is aimed at
  int work_group_size_max = 1;
  std::vector<int64_t> work_item_sizes_max;  // of a work-group, per dimension; three
  int64_t local_memory_bytes = 0;            // of a work-group
  int64_t unit_local_memory_bytes = 0;       // of a compute unit, shared by its work-groups
  int parameter_bytes_max = 0;               // that one kernel may take as arguments
  int64_t allocation_bytes_max = 0;          // of one buffer
  int64_t memory_bytes = 0;                  // of all buffers
  DeviceImages images;

  bool operator==(const OpenClDevice&) const = default;
};

// How to build and run a tree for this hardware. Arguments go to the program as they are, never to
// a shell.
struct Compiler {
  std::string name;                  // "g++": how --compiler and reports refer to it
  std::vector<std::string> command;  // program and leading arguments
  std::vector<std::string>
      compile_flags;  // machine and optimisation only; the language's come from the tree
  std::vector<std::string> link_flags;  // at the end of the command that makes a program

  bool operator==(const Compiler&) const = default;
};

struct Hardware {
  std::string text;    // the description's bytes
  std::string sha256;  // of these
  std::string name;
  std::string description;
  Target target = Target::kCpp;
  Isa isa = Isa::kGeneric;
  Profile profile = Profile::kHosted;  // when --profile is not given
  Optimise optimise = Optimise::kSpeed;
  int pointer_bits = 64;
  ByteOrder byte_order = ByteOrder::kLittle;
  int arena_align_bytes = 64;
  int clock_mhz = 1;
  VectorUnit vector;
  // Vector registers that integers have and floats have not; what it does not say is as in
  // `vector`.
  std::optional<VectorUnit> integer_vector;
  Instructions instructions;
  std::vector<RowTiming> rows;  // in the order of the description
  Memory memory;
  OpenClDevice opencl;  // of target opencl
  // Asked for (--half), no property of the machine: panels of fp16 constants stay fp16.
  bool keeps_fp16 = false;
  int threads_max = 1;
  int thread_start_us = 0;  // until a thread that waits runs its part of a loop
  // Routines that this target's compilers may call by themselves and that no library of theirs
  // supplies.
  std::vector<std::string> support_routines;
  std::vector<Compiler> compilers;  // at least one; the first is the default
  std::vector<std::string> runner;  // command in front of a test program; empty: it runs as it is
  ProgramKind program = ProgramKind::kHosted;
  std::string packer;  // machine file of the VLIW packer, beside the description; or empty

  bool operator==(const Hardware&) const = default;

  const Compiler* find_compiler(const std::string& compiler) const;  // null when there is none
  // What runs a test program: the runner, the program, its arguments in the form that it reads.
  std::vector<std::string> command_of(const std::string& test_program,
                                      const std::vector<std::string>& arguments) const;
};

}  // namespace burin
