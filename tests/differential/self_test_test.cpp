// A model of which the interpreter cannot make sample vectors: whose fault that is.
#include "verify/self_test.h"

#include <gtest/gtest.h>

#include "differential/support/emitted.h"
#include "support/check.h"

namespace burin {
namespace {

CompileOptions options_of(const std::string& name) {
  CompileOptions options;
  options.model = std::string(BURIN_SOURCE_DIR) + "/tests/models/" + name + "/model.onnx";
  return options;
}

// Every size that other sizes alone determine may only be 0.
void take_bounds(Steps& steps) {
  for (Step& step : steps) {
    if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) take_bounds((*loop)->body);
    Bind* bind = std::get_if<Bind>(&step);
    if (!bind || !reads_of(step).empty()) continue;
    SymbolInfo none = *bind->symbol;
    none.max = 0;
    none.most = nullptr;
    bind->symbol = std::make_shared<const SymbolInfo>(std::move(none));
  }
}

TEST(SelfTest, ABoundThatWasDerivedAndDoesNotHoldIsAnInternalError) {
  const CompileOptions options = options_of("fibonacci");
  Compiled compiled = compile(options, project_hardware("cpp-generic"));
  EXPECT_FALSE(make_self_test(compiled, options, {}).runs.empty());
  take_bounds(compiled.lowered.steps);
  EXPECT_THROW(make_self_test(compiled, options, {}), InternalError);
}

TEST(SelfTest, WhatDataDecideIsNot) {
  const CompileOptions options = options_of("given_sizes");
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  std::string why;
  SelfTestOptions said;
  said.warn = [&](const std::string& text) { why = text; };
  const SelfTest test = make_self_test(compiled, options, said);
  EXPECT_TRUE(test.runs.empty());
  EXPECT_NE(why, "");
  EXPECT_EQ(why, test.origin);
}

}  // namespace
}  // namespace burin
