// --step-hook: a caller is told every step of a run, as plan.json numbers them.
#include <gtest/gtest.h>

#include "errors/support/state_cli.h"

namespace burin::step_hook_cli_test {
namespace {

using StepHookCli = StateCli;

// A product, a sort and a row, of which the second is a procedure; then once without a hook.
const char* const kModel =
    "in x f32[2,8]\nin w f32[8,8]\nin k i64[1]\nnode MatMul(x, w) -> p name=product\n"
    "node TopK(p, k) -> t, i name=best\nnode Softmax(t) -> y name=last axis=-1\nout y\n";

const char* const kCaller = R"(
#include <cstdio>
#include <cstring>
#include "g.h"
static g_context context;
alignas(64) static unsigned char arena[1 << 16];
struct Told { int steps, last, end; char names[512]; };
static void hook(void* user, int32_t step, const char* function) {
  Told& told = *static_cast<Told*>(user);
  if (function == nullptr) {
    told.end += step == -1;
    return;
  }
  if (told.end > 0 || step <= told.last) told.steps += 1000;  // in order, and none behind the end
  told.last = step;
  ++told.steps;
  std::strcat(std::strcat(told.names, function), " ");
}
int main() {
  float x[16], w[64], y[6];
  const int64_t k[] = {3};
  for (int i = 0; i < 16; ++i) x[i] = (float)(i % 5);
  for (int i = 0; i < 64; ++i) w[i] = (float)(i % 7);
  g_inputs inputs = {};
  inputs.x = x;
  inputs.w = w;
  inputs.k = k;
  g_outputs outputs = {};
  outputs.y = y;
  outputs.y_capacity = 6;
  if (g_init(&context, arena, sizeof arena, nullptr, 0) != 0) return 99;
  if (context.step_hook != nullptr || context.step_user != nullptr) return 98;
  if (g_run(&context, &inputs, &outputs) != 0) return 97;
  Told told = {0, -1, 0, ""};
  context.step_hook = hook;
  context.step_user = &told;
  if (g_run(&context, &inputs, &outputs) != 0) return 96;
  std::printf("%d %d %s\n", told.steps, told.end, told.names);
  return told.steps != 3 || told.end != 1 || std::strstr(told.names, "top_k") == nullptr ||
         std::strstr(told.names, "softmax_") == nullptr;
}
)";

TEST_F(StepHookCli, EveryStepIsToldInOrder) {
  for (const char* config : {"cpp-generic", "x86-64-v3"})
    expect_steps(kModel, {"--step-hook", "--config", config}, kCaller);
}

TEST_F(StepHookCli, ADeviceHasNone) {
  expect_refused("in x f32[4]\nnode Neg(x) -> y name=minus\nout y\n",
                 {"--step-hook", "--config", "pocl"},
                 "--step-hook: error: kernels of OpenCL run behind the host, which knows no step "
                 "of them [inconsistent-hardware]; leave it out");
}

}  // namespace
}  // namespace burin::step_hook_cli_test
