// Programs that are alike are transformed once, and come out as if each had been alone.
#include "graph_fixture.h"
#include "loops/program_text.h"
#include "loops/transforms/strength_reduce.h"
#include "select/choose.h"
#include "select/program_of.h"
#include "select/programs/alike.h"
#include "small_hardware.h"

namespace burin::alike_programs_test {
namespace {

// x times w again and again; the last product is of a square that is added to itself.
GraphFixture products(int count) {
  GraphFixture g;
  const Operand w = g.input("w", {8, 8});
  Operand x = g.input("x", {4, 8});
  for (int k = 0; k < count; ++k) {
    const Operand y = g.value("y" + std::to_string(k), {4, 8});
    matmul(g, "product" + std::to_string(k), x, w, y);
    x = y;
  }
  const Operand sum = g.output("sum", {4, 8});
  g.map("last", sum, [&](const Indices& at) { return x.at(at) + x.at(at); });
  return g;
}

TEST(AlikePrograms, AreTransformedOnce) {
  const GraphFixture g = products(40);
  const LoopPlans chosen = choose_loops(g.graph, small_hardware({{32768, 4, 64, 1}}));
  AlikePrograms alike(loops::strength_reduce);
  for (const auto& [step, plan] : chosen.plans) {
    const loops::Program given = program_of(plan, chosen.graph.values);
    EXPECT_EQ(alike.of(given), loops::strength_reduce(given)) << plan.kernel.name;
  }
  EXPECT_EQ(alike.made(), 2);
}

// Arguments that are one value, and such that are two, are no programs that are alike.
TEST(AlikePrograms, KnowWhichArgumentsAreOneValue) {
  loops::Program one, two;
  for (loops::Program* program : {&one, &two}) {
    for (const char* name : {"a", "b"}) {
      program->add(loops::Buffer{.name = name,
                                 .type = Type::f32,
                                 .shape = {4},
                                 .scope = loops::Scope::argument,
                                 .value = program == &two && name[0] == 'b' ? 9 : 7});
    }
  }
  AlikePrograms alike([](loops::Program program) { return program; });
  EXPECT_EQ(alike.of(one), one);
  EXPECT_EQ(alike.of(two), two);
  EXPECT_EQ(alike.of(one), one);
  EXPECT_EQ(alike.made(), 2);
}

}  // namespace
}  // namespace burin::alike_programs_test
