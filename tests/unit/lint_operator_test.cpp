// Operators are known to their own files and to nobody behind lowering. That each is compared with
// expected numbers: tests/differential/operators_test.cpp. Targets are known to hardware/ and to
// the place that picks a backend.
#include <gtest/gtest.h>

#include <set>

#include "ops/api/core/op_table.h"
#include "unit/support/source_files.h"

namespace burin::lint_operator_test {
namespace {

std::set<std::string> operator_names() {
  std::set<std::string> names;
  for (const OpDef& op : op_table()) names.insert(std::string(op.name));
  return names;
}

TEST(LintOperator, PassesNameNone) {
  const std::set<std::string> names = operator_names();
  ASSERT_FALSE(names.empty());
  int literals = 0;
  // What makes nodes has to say which: import, of inputs that are containers, and the two of
  // graph/.
  const auto makes_nodes = [](const SourceFile& file) {
    return file.path.ends_with("import/container_inputs.cpp") ||
           file.path.ends_with("graph/copy.h") || file.path.ends_with("graph/items.h");
  };
  for (const SourceFile& file : source_files()) {
    if (makes_nodes(file)) continue;
    if (!file.is_in("generator") || file.is_in("generator/ops") || !file.is_code()) continue;
    for (const Literal& literal : string_literals(file.text)) {
      ++literals;
      EXPECT_FALSE(names.contains(literal.text))
          << file.path << ":" << literal.line << " names the operator " << literal.text
          << ": a pass asks an OpDef or recognises what a kernel computes";
    }
  }
  EXPECT_GT(literals, 100);
}

// Which backend writes a tree is chosen in one place; everything else asks for capabilities.
TEST(LintTarget, NamedWhereItIsChosen) {
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || file.is_in("generator/hardware") || !file.is_code()) continue;
    if (file.path.ends_with("generator/backends/emit.cpp")) continue;
    EXPECT_EQ(file.text.find("Target::k"), std::string::npos) << file.path << " names a target";
  }
}

}  // namespace
}  // namespace burin::lint_operator_test
