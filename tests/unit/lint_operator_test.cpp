// Operators are known to their own files and to nobody behind lowering. That each is compared with
// expected numbers: tests/differential/operators_test.cpp.
#include <gtest/gtest.h>

#include <set>

#include "ops/api/op_table.h"
#include "unit/support/source_files.h"

namespace burin {
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
  for (const char* folder : {"kernel", "lower", "fuse", "select", "plan", "backends", "render"}) {
    for (const SourceFile& file : source_files()) {
      if (!file.is_in(std::string("generator/") + folder) || !file.is_code()) continue;
      for (const Literal& literal : string_literals(file.text)) {
        ++literals;
        EXPECT_FALSE(names.contains(literal.text))
            << file.path << ":" << literal.line << " names the operator " << literal.text
            << ": a pass asks an OpDef or recognises what a kernel computes";
      }
    }
  }
  EXPECT_GT(literals, 100);
}

}  // namespace
}  // namespace burin
