#include "isa/instruction.h"

#include <algorithm>

namespace burin::isa {

std::string_view to_string(Access access) {
  static constexpr std::string_view kNames[] = {"read", "write", "update"};
  return kNames[static_cast<size_t>(access)];
}

std::string_view to_string(Place place) {
  static constexpr std::string_view kNames[] = {"memory", "registers", "broadcast", "element",
                                                "image"};
  return kNames[static_cast<size_t>(place)];
}

bool is_named(const Instruction& row, std::string_view name) {
  return row.instruction == name ||
         std::find(row.elsewhere.begin(), row.elsewhere.end(), name) != row.elsewhere.end();
}

std::string check_row(const Instruction& row) {
  if (row.values.size() != row.operands.size())
    return row.name + ": " + std::to_string(row.values.size()) + " values, " +
           std::to_string(row.operands.size()) + " operands";
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const bool writes = row.operands[k].access != Access::read;
    const ValueKind kind = row.values[k].kind;
    if (kind != (writes ? ValueKind::output : ValueKind::input))
      return row.name + ": operand " + row.operands[k].name + " is " +
             std::string(to_string(row.operands[k].access)) + ", its value is not";
  }
  const std::vector<ValueId> written = writes_of(Step(row.meaning));
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const bool is_written = std::count(written.begin(), written.end(), static_cast<ValueId>(k)) > 0;
    if (is_written != (row.operands[k].access != Access::read))
      return row.name + ": its meaning " + (is_written ? "writes " : "does not write ") +
             row.operands[k].name;
  }
  for (const Spelling& spelling : row.spellings) {
    for (const Operand& operand : row.operands) {
      if (spelling.text.find("{" + operand.name + "}") == std::string::npos)
        return row.name + ": a spelling does not name " + operand.name;
    }
  }
  return {};
}

const Spelling* spelling_for(const Instruction& row, std::string_view compiler) {
  for (const Spelling& one : row.spellings) {
    if (one.compiler == compiler) return &one;
  }
  for (const Spelling& one : row.spellings) {
    if (one.compiler.empty()) return &one;
  }
  return nullptr;
}

}  // namespace burin::isa
