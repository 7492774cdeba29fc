// What spellings of isa/ compute, compiled, beside what their meanings say: programs of trials.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "isa/instruction.h"
#include "isa/matrix_rows.h"
#include "kernel/interpreter/interpreter.h"
#include "support/numbers.h"
#include "support/process.h"

namespace burin::spelled_rows {

// Elements at the ends of their range, around zero and in between. Products of two of the floats
// are exact, so that it does not matter whether they are rounded before they are added.
inline ScalarValue extreme(Type type, Numbers& numbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (type == Type::f32) {
    const double all[] = {-4095, -1, -0.0, 0, 0.125, 1, 3, 4095, 0x1p60, -0x1p-60, -infinity, NAN};
    return {all[numbers.below(std::size(all))], 0};
  }
  if (type == Type::f16) {
    const double all[] = {-65504, -1, -0.0, 0, 0x1p-24, 0x1p-14, 3, 2049, infinity, NAN};
    return {all[numbers.below(std::size(all))], 0};
  }
  // Sums of these are the same in any order: exact, and none takes away what another one added.
  if (type == Type::bf16) {
    const double all[] = {0, 0.125, 1, 3, 16, infinity, NAN};
    return {all[numbers.below(std::size(all))], 0};
  }
  const int64_t lo = lowest(type), hi = highest(type);
  const int64_t all[] = {lo, lo + 1, -1, 0, 1, hi - 1, hi, lo / 3, hi / 5};
  const int64_t one = all[numbers.below(std::size(all))];
  return {0, std::max(lo, std::min(hi, one))};
}

// As many bytes as a call says, to any place.
inline bool is_move(const isa::Instruction& row) {
  const std::string& header = row.spellings[0].header;
  return header == "moves.h" || header == "fold_bytes.h" || header == "pool_rows.h" ||
         header == "pad_rows.h" || header == "pad_known_rows.h" || header == "pad_fours.h" ||
         header == "pad_known_fours.h" || row.name.starts_with("look_up");
}

// A scale is a normal number above 0; what it scales are numbers around bytes, too.
inline ScalarValue drawn(const isa::Operand& operand, Type type, Numbers& numbers) {
  const double scales[] = {1, 0x1p-30, 65536 / 0.0183, 65536 * 1.7, 0x1.fffffep90, 0x1p-126};
  if (operand.name == "scale") return {scales[numbers.below(std::size(scales))], 0};
  if (type == Type::f32 && numbers.below(2))
    return {static_cast<float>(static_cast<double>(numbers.below(1 << 20)) * 0x1p-11 - 256), 0};
  return extreme(type, numbers);
}

struct Trial {
  std::vector<HostTensor> operands;
  std::vector<HostTensor> wanted;  // of the operands that are written
};

inline std::vector<Trial> trials(const isa::Instruction& row) {
  Numbers numbers(7);
  std::vector<Trial> out;
  int64_t elements = 0;
  for (const Value& value : row.values)
    elements += value.shape[0].is_constant() ? value.shape[0].constant() : 0;
  const bool matrix = !row.operands.empty() && row.values[0].shape.size() == 2;
  // Instructions round sums of bf16 each in its way: these are exact.
  const bool exact = std::any_of(row.values.begin(), row.values.end(),
                                 [](const Value& one) { return one.type == Type::bf16; });
  const int count = matrix ? 2 : is_move(row) ? 10 : elements > 256 ? 30 : 200;  // long ones
  for (int t = 0; t < count; ++t) {
    Trial trial;
    Environment environment;
    std::vector<Value> values = row.values;
    std::vector<ValueId> written;
    for (size_t k = 0; k < values.size(); ++k) {
      std::vector<int64_t> shape;
      for (const Dim& dim : values[k].shape) shape.push_back(dim.constant());
      HostTensor tensor = make_tensor(values[k].type, shape);
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.set(i, row.operands[k].name == "scale" || row.name.starts_with("quantise")
                          ? drawn(row.operands[k], values[k].type, numbers)
                      : exact && values[k].type == Type::f32
                          ? ScalarValue{static_cast<double>(numbers.below(512)) - 256, 0}
                          : extreme(values[k].type, numbers));
      values[k].kind = ValueKind::internal;
      if (row.operands[k].access != isa::Access::read) written.push_back(static_cast<ValueId>(k));
      environment.tensors[static_cast<ValueId>(k)] = tensor;
      trial.operands.push_back(std::move(tensor));
    }
    EXPECT_EQ(execute_steps({row.meaning}, values, environment).status, kRunOk);
    for (const ValueId one : written) trial.wanted.push_back(environment.tensors.at(one));
    out.push_back(std::move(trial));
  }
  return out;
}

// The row for calls that say these sizes.
inline isa::Instruction sized(isa::Instruction row, int64_t size) {
  const std::string& symbol = row.sizes.at(0)->name;
  const auto known = [&](const Dim& dim) { return dim.substitute_symbol(symbol, size); };
  for (Value& value : row.values) {
    for (Dim& dim : value.shape) dim = known(dim);
  }
  for (Axis& axis : row.meaning.axes) axis.extent = known(axis.extent);
  std::vector<Index> axes;
  for (size_t a = 0; a < row.meaning.axes.size(); ++a)
    axes.push_back(Index::axis(static_cast<int>(a), row.meaning.axes[a].extent));
  for (Let& let : row.meaning.lets) {
    for (Expr& body : let.body) body = substitute_symbol(substitute_axes(body, axes), symbol, size);
  }
  for (Write& write : row.meaning.writes) {
    write.value = substitute_symbol(substitute_axes(write.value, axes), symbol, size);
    for (Index& index : write.at) index = known(index.substitute_axes(axes));
  }
  for (isa::Spelling& spelling : row.spellings)
    spelling.text.replace(spelling.text.find("{" + symbol + "}"), symbol.size() + 2,
                          std::to_string(size));
  row.name += "_" + std::to_string(size);
  row.sizes.clear();
  return row;
}

// The same of several sizes.
inline isa::Instruction sized(isa::Instruction row, const std::vector<int64_t>& sizes) {
  const std::vector<Symbol> symbols = row.sizes;
  for (size_t k = 0; k < sizes.size(); ++k) {
    row.sizes = {symbols[k]};
    row = sized(std::move(row), sizes[k]);
  }
  return row;
}

// As printf("%a") has it, without the sign of a NaN.
inline std::string printed(double number) {
  if (std::isnan(number)) return "nan";
  char text[64];
  std::snprintf(text, sizeof text, "%a", number);
  return text;
}

inline std::string type_text(Type type) {
  return type == Type::f32                         ? "float"
         : type == Type::i32                       ? "int32_t"
         : type == Type::u32                       ? "uint32_t"
         : type == Type::i16                       ? "int16_t"
         : type == Type::f16 || type == Type::bf16 ? "uint16_t"
         : type == Type::u8                        ? "uint8_t"
                                                   : "int8_t";
}

inline std::string elements(const HostTensor& tensor) {
  std::string out;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    // The least number has no literal of its own, and what is no number neither.
    int64_t value = tensor.get(i).integer;
    if (tensor.type == Type::f16 || tensor.type == Type::bf16) {
      uint16_t bits = 0;
      std::memcpy(&bits, tensor.bytes.data() + 2 * i, sizeof bits);
      value = bits;
    }
    const double number = tensor.get(i).number;
    out += tensor.type != Type::f32 ? (value == INT32_MIN ? "INT32_MIN" : std::to_string(value))
           : std::isfinite(number)  ? printed(number) + "f"
           : std::isnan(number)     ? "__builtin_nanf(\"\")"
                                    : std::string(number < 0 ? "-" : "") + "__builtin_inff()";
    out += ", ";
  }
  return out;
}

// A namespace whose run() applies the spelling to every trial and prints what it has written then.
// Trials are data, so that it is short and no compiler knows them.
inline std::string functions(const isa::Instruction& row, const isa::Spelling& spelling,
                             const std::vector<Trial>& all) {
  std::string text = spelling.text;
  const auto put = [&](const std::string& name, const std::string& by) {
    for (size_t at; (at = text.find("{" + name + "}")) != std::string::npos;)
      text.replace(at, name.size() + 2, by);
  };
  // Operands in registers are vectors, made of their arrays and put there.
  std::string before, behind, shown;
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const isa::Operand& operand = row.operands[k];
    if (operand.access != isa::Access::read)
      shown += "for (" + std::string(row.values[k].type == Type::f32 ? "double" : "int32_t") +
               " one : " + operand.name + ") show(one);\n";
    const bool vector = operand.place == isa::Place::registers;
    put(operand.name, vector ? operand.name + "_lanes" : operand.name);
    if (!vector) continue;
    const std::string own = operand.name + "_lanes",
                      lanes = std::to_string(row.values[k].shape[0].constant());
    const std::string vector_name = row.values[k].type == Type::f32 ? "Float" : "Int";
    const std::string held =
        isa::holds_matrix(row, k)
            ? "MatrixSums<" + std::to_string(row.values[k].shape[0].constant() / 16) + ", " +
                  std::to_string(row.values[k].shape[1].constant() / 16) +
                  (row.values[k].type == Type::f32 ? ", float>" : ">")
            : vector_name + "Vector<" + lanes + ">";
    before += "burin_rt::" + held + " " + own + ";\nmemcpy(&" + own + ", " + operand.name +
              ", sizeof " + own + ");\n";
    if (operand.access != isa::Access::read)
      behind += "memcpy(" + operand.name + ", &" + own + ", sizeof " + own + ");\n";
  }
  const bool moves = is_move(row);
  std::string out = "namespace " + row.name + " {\n";
  for (size_t k = 0; k < row.operands.size(); ++k) {
    out += "extern const " + type_text(row.values[k].type) + " all_" + row.operands[k].name + "[" +
           std::to_string(all.size()) + "][" + std::to_string(all[0].operands[k].elements()) +
           "];\nconst " + type_text(row.values[k].type) + " all_" + row.operands[k].name + "[" +
           std::to_string(all.size()) + "][" + std::to_string(all[0].operands[k].elements()) +
           "] = {\n";
    for (const Trial& trial : all) out += "{" + elements(trial.operands[k]) + "},\n";
    out += "};\n";
  }
  out += "static void run() {\n";
  out += "for (int trial = 0; trial < " + std::to_string(all.size()) + "; ++trial) {\n";
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const std::string name = row.operands[k].name;
    const std::string type = type_text(row.values[k].type),
                      elements = std::to_string(all[0].operands[k].elements());
    if (moves) {
      // Anywhere, with a margin that nothing may touch; groups are aligned as groups.
      const int place = 128 + (k == 0 ? 44 : 29 * static_cast<int>(k) + 7);
      out += "alignas(128) " + type + " room_" + name + "[512 + " + elements + "];\n" + type +
             " (&" + name + ")[" + elements + "] = *reinterpret_cast<" + type + "(*)[" + elements +
             "]>(room_" + name + " + " + std::to_string(place) + ");\nmemset(room_" + name +
             ", 0x5a, sizeof room_" + name + ");\n";
    } else {
      out += "alignas(128) " + type + " " + name + "[" + elements + "];\n";
    }
    out += "memcpy(" + name + ", all_" + name + "[trial], sizeof " + name + ");\n";
  }
  if (moves)
    behind +=
        "for (int i = 0; i < 172; ++i) if (room_to[i] != 0x5a) show(9999);\n"
        "for (int i = 172 + static_cast<int>(sizeof to); i < static_cast<int>(sizeof "
        "room_to); ++i) if (room_to[i] != 0x5a) show(9999);\n";
  return out + before + text + "\n" + behind + shown + "}\nshow_end();\n}\n}\n";
}

// show() of a program with a C library, and of one without; the latter has integers only.
constexpr const char* kHosted = R"(#include <stdint.h>
#include <stdio.h>
#include <string.h>
[[maybe_unused]] static void show(int32_t one) { printf("%d ", one); }
[[maybe_unused]] static void show(double one) { if (one != one) printf("nan "); else printf("%a ", one); }
static void show_end() { printf("\n"); }
int main())";
constexpr const char* kBare = R"(#define BURIN_PROGRAM_HAS_MEMORY_FUNCTIONS
#include "runtime_min/freestanding/support.cpp"
#include "templates/project/program/bare_linux.h"
// One call of the system for many numbers: an emulator takes long for each.
static char shown_text[1 << 12];
static size_t shown_bytes = 0;
static void show_now() {
  program_write(1, shown_text, shown_bytes);
  shown_bytes = 0;
}
static void show(int32_t one) {
  char text[12];
  int at = 12;
  text[--at] = ' ';
  uint32_t rest = one < 0 ? 0u - static_cast<uint32_t>(one) : static_cast<uint32_t>(one);
  do {  // without a division, which is a routine
    uint32_t tens = static_cast<uint32_t>((uint64_t{rest} * 0xcccccccdu) >> 35);
    text[--at] = static_cast<char>('0' + (rest - 10 * tens));
    rest = tens;
  } while (rest != 0);
  if (one < 0) text[--at] = '-';
  while (at < 12) shown_text[shown_bytes++] = text[at++];
  if (shown_bytes + 16 > sizeof shown_text) show_now();
}
static void show_end() {
  shown_text[shown_bytes++] = '\n';
  show_now();
}
int program_main(int, char**))";

inline std::string wanted_text(const std::vector<Trial>& all) {
  std::string out;
  for (const Trial& trial : all) {
    for (const HostTensor& wanted : trial.wanted) {
      for (int64_t i = 0; i < wanted.elements(); ++i)
        out += (wanted.type == Type::f32 ? printed(wanted.get(i).number)
                                         : std::to_string(wanted.get(i).integer)) +
               " ";
    }
  }
  return out;
}

// All rows in one program.
inline void expect_spelled(const std::vector<isa::Instruction>& rows,
                           std::vector<std::string> compiler, const std::string& runner,
                           const std::vector<std::string>& link_flags = {},
                           const std::string& program = kHosted) {
  std::set<std::string> headers;
  std::vector<std::string> wanted;
  std::string text, main;
  for (const isa::Instruction& row : rows) {
    const isa::Spelling* spelling = isa::spelling_for(row, compiler[0]);
    ASSERT_NE(spelling, nullptr) << row.name;
    headers.insert(spelling->header);
    const std::vector<Trial> all = trials(row);
    text += functions(row, *spelling, all);
    main += row.name + "::run();\n";
    wanted.push_back(wanted_text(all));
  }
  const ScratchFolder folder;
  std::ofstream file_of_rows(folder.path() + "/row.cpp");
  file_of_rows << program
               << ";\n#define memcpy __builtin_memcpy\n#define memset __builtin_memset\n";
  for (const std::string& header : headers)
    file_of_rows << "#include \"runtime_min/" + header + "\"\n";
  file_of_rows << text << program.substr(program.rfind('\n') + 1) << " {\n"
               << main << "return 0;\n}\n";
  file_of_rows.close();
  const std::string binary = folder.path() + "/row", printed = folder.path() + "/printed";
  compiler.insert(compiler.end(), {"-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I",
                                   BURIN_SOURCE_DIR, folder.path() + "/row.cpp", "-o", binary});
  compiler.insert(compiler.end(), link_flags.begin(), link_flags.end());
  const ProcessResult built = run_process(compiler, 240);
  ASSERT_EQ(built.exit_code, 0) << built.output;
  const std::string run = (runner.empty() ? "" : runner + " ") + binary + " > " + printed;
  ASSERT_EQ(run_process({"sh", "-c", run}, 120).exit_code, 0);
  std::ifstream file(printed);
  for (size_t k = 0; k < rows.size(); ++k) {
    std::string got;
    std::getline(file, got);
    EXPECT_EQ(got, wanted[k]) << rows[k].name << " by " << compiler[0];
  }
}

}  // namespace burin::spelled_rows
