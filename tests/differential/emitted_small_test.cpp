// Descriptions of small machines, and of one with vectors of RISC-V: models as trees without a C
// library, built with the flags of the description (code that is short, but for the last) and run
// by qemu-user, Cortex-M55 by a machine of qemu-system-arm.
#include <gtest/gtest.h>

#include "differential/support/emitted.h"

namespace burin::emitted_small_test {
namespace {

const std::string kModels = std::string(BURIN_SOURCE_DIR) + "/tests/models/";

std::vector<std::string> models(const std::vector<const char*>& names) {
  std::vector<std::string> out;
  for (const char* name : names) out.push_back(kModels + name);
  return out;
}

// A recurrence, products, an attention, windows, bytes and bits, dynamic sizes, a branch, a
// procedure.
const std::vector<const char*> kTen = {
    "lstm",        "projections", "attention", "first_patch",    "qdq_conv", "weights_of_few_bits",
    "softmax_sym", "branches",    "nonzero",   "residual_blocks"};
void expect_pass(const std::string& hardware, const std::vector<const char*>& names,
                 bool fast = false) {
  VerifyOptions options;
  options.hardware = project_hardware(hardware);
  options.fast = fast;
  expect_all_pass(models(names), options);
}

TEST(EmittedSmall, CortexM7) { expect_pass("cortex-m7", kTen); }
// As many columns in a tile as a head has features: loops over both are not one.
TEST(EmittedSmall, CortexM7OfEqualExtents) { expect_pass("cortex-m7", {"positions_shifted"}); }
TEST(EmittedSmall, CortexM33) { expect_pass("cortex-m33", kTen); }
TEST(EmittedSmall, CortexM4) { expect_pass("cortex-m4", kTen); }
TEST(EmittedSmall, CortexM55) { expect_pass("cortex-m55", kTen); }
TEST(EmittedSmall, RiscV32WithoutFloats) { expect_pass("rv32imc", kTen); }
TEST(EmittedSmall, RiscV64WithVectors) { expect_pass("riscv64-v", kTen, true); }

}  // namespace
}  // namespace burin::emitted_small_test
