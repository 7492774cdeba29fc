// Sequences and optionals that the caller gives: what it says of them must go together.
#include <gtest/gtest.h>

#include "differential/support/emitted_run.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::emitted_sequences_test {
namespace {

namespace w = onnx_writer;
using onnx_writer::Message;
using Integers = std::vector<int64_t>;

constexpr int kSequence = 4, kOptional = 9;  // fields of a type
constexpr int64_t kHuge = int64_t{1} << 62;

const std::string kAgree = "sizes that must agree do not: ";
const std::string kRange = "a dimension is outside its declared range: ";
const std::string kValue =
    "a value that the inputs hold, or a size that follows from them, is outside its range: ";

HostTensor whole(Integers shape, const Integers& numbers) {
  return make_tensor(Type::i64, std::move(shape), numbers);
}
HostTensor real(Integers shape, const std::vector<double>& numbers) {
  return make_tensor(Type::f32, std::move(shape), numbers);
}

// An input of containers, outermost first, around tensors of floats.
Message held(std::string_view name, const std::vector<int>& containers, const w::Names& sizes) {
  Message shape;
  for (const std::string& size : sizes) shape.message(1, Message().text(2, size));
  Message type = Message().message(1, Message().integer(1, w::kFloat).message(2, shape));
  for (size_t k = containers.size(); k-- > 0;)
    type = Message().message(containers[k], Message().message(1, type));
  return Message().text(1, name).message(2, type);
}

Message out(std::string_view name) { return Message().text(1, name); }

EmittedProgram program_of(std::vector<Message> nodes, std::vector<Message> inputs,
                          std::vector<Message> outputs, const std::vector<std::string>& dims = {}) {
  const w::GraphParts parts{.nodes = std::move(nodes),
                            .initializers = {},
                            .inputs = std::move(inputs),
                            .outputs = std::move(outputs)};
  return EmittedProgram(w::model(w::graph(parts), {}, {w::opset("", 18)}).bytes(), dims);
}

// A sequence with one more item at a place of the run, and its length.
EmittedProgram ragged(const std::vector<std::string>& dims = {}) {
  return program_of({w::node("SequenceInsert", {"s", "more", "place"}, {"t"}),
                     w::node("SequenceLength", {"t"}, {"length"})},
                    {held("s", {kSequence}, {"n"}), w::value("more", w::kFloat, {"m"}),
                     w::value("place", w::kInt64, {})},
                    {out("t"), out("length")}, dims);
}

TEST(EmittedSequences, ComeBackAsTheyAreGiven) {
  const EmittedProgram program = ragged();
  const RunOutcome outcome =
      program.run({real({3}, {1, 2, 3}), whole({2}, {1, 2}), real({2}, {7, 8}), whole({}, {-1})});
  ASSERT_EQ(outcome.status, 0) << outcome.explained;
  EXPECT_EQ(outcome.outputs.at(0), real({5}, {1, 7, 8, 2, 3}));
  EXPECT_EQ(outcome.outputs.at(1), whole({3}, {1, 2, 2}));
  EXPECT_EQ(outcome.outputs.at(2), whole({}, {3}));
  // One that is empty.
  const RunOutcome empty =
      program.run({real({0}, {}), whole({0}, {}), real({2}, {7, 8}), whole({}, {0})});
  ASSERT_EQ(empty.status, 0) << empty.explained;
  EXPECT_EQ(empty.outputs.at(0), real({2}, {7, 8}));
  EXPECT_EQ(empty.outputs.at(1), whole({1}, {2}));
}

TEST(EmittedSequences, ExtentsThatDoNotGoTogether) {
  const EmittedProgram program = ragged();
  const auto explained = [&](const HostTensor& items, const Integers& extents) {
    const RunOutcome outcome =
        program.run({items, whole({static_cast<int64_t>(extents.size())}, extents),
                     real({2}, {7, 8}), whole({}, {0})});
    EXPECT_NE(outcome.status, 0);
    return outcome.explained;
  };
  const HostTensor three = real({3}, {1, 2, 3});
  EXPECT_EQ(explained(three, {1, 1}), kAgree + "sum of the extents of s");
  EXPECT_EQ(explained(three, {2, 2}), kValue + "s_sum is 4, not from 0 to 3");
  EXPECT_EQ(explained(three, {}), kAgree + "sum of the extents of s");
  EXPECT_EQ(explained(three, {4, -1}), kValue + "s_negative_extent is -1, not from 0 to 0");
  EXPECT_EQ(explained(three, {kHuge, kHuge, kHuge, kHuge + 3}),
            kValue + "s_sum is 4, not from 0 to 3");
  EXPECT_EQ(explained(real({0}, {}), {1}), kValue + "s_sum is 1, not from 0 to 0");
}

TEST(EmittedSequences, LengthsOutOfRange) {
  const EmittedProgram program = ragged({"s=0..4", "s_total=0..8"});
  const auto explained = [&](int64_t length, int64_t total) {
    return program.run_at({{"s", length}, {"s_total", total}, {"m", 1}}).explained;
  };
  EXPECT_EQ(explained(-1, 2), kRange + "s is -1, not from 0 to 4");
  EXPECT_EQ(explained(5, 2), kRange + "s is 5, not from 0 to 4");
  EXPECT_EQ(explained(2, -1), kRange + "s_total is -1, not from 0 to 8");
  EXPECT_EQ(explained(2, 9), kRange + "s_total is 9, not from 0 to 8");
}

// Items of two open dimensions: no product of extents may leave 64 bits.
TEST(EmittedSequences, RaggedInSeveralDimensions) {
  const EmittedProgram program = program_of(
      {w::node("SequenceErase", {"s", "place"}, {"t"})},
      {held("s", {kSequence}, {"a", "b"}), w::value("place", w::kInt64, {})}, {out("t")});
  const auto run = [&](const HostTensor& items, const Integers& extents) {
    return program.run(
        {items, whole({static_cast<int64_t>(extents.size() / 2), 2}, extents), whole({}, {0})});
  };
  const HostTensor seven = real({7}, {1, 2, 3, 4, 5, 6, 7});
  const RunOutcome outcome = run(seven, {1, 1, 2, 3});
  ASSERT_EQ(outcome.status, 0) << outcome.explained;
  EXPECT_EQ(outcome.outputs.at(0), real({6}, {2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(outcome.outputs.at(1), whole({1, 2}, {2, 3}));
  EXPECT_EQ(run(seven, {1, 1, 2, 2}).explained, kAgree + "sum of the extents of s");
  EXPECT_EQ(run(seven, {1, 1, -2, -3}).explained,
            kValue + "s_negative_extent is -3, not from 0 to 0");
  EXPECT_EQ(run(real({0}, {}), {int64_t{1} << 32, int64_t{1} << 32}).explained,
            kValue + "s_sum is 1, not from 0 to 0");
  EXPECT_EQ(run(seven, {7, 7, 7, 7}).explained, kValue + "s_sum is 8, not from 0 to 7");
}

TEST(EmittedSequences, OptionalsHoldOneOrNothing) {
  const EmittedProgram program = program_of({w::node("OptionalGetElement", {"o"}, {"y"})},
                                            {held("o", {kOptional}, {"n"})}, {out("y")});
  const RunOutcome outcome = program.run({real({1, 2}, {5, 6})});
  ASSERT_EQ(outcome.status, 0) << outcome.explained;
  EXPECT_EQ(outcome.outputs.at(0), real({2}, {5, 6}));
  // Every run takes the element, so that an optional of nothing is no input.
  EXPECT_EQ(refusal([&] {
              program.run({real({0, 2}, {})});
            }),
            "error: input 'o' dimension 0 is 0, the model has 1 [shape-mismatch]");
}

TEST(EmittedSequences, OptionalsOfSequences) {
  const EmittedProgram program = program_of(
      {w::node("OptionalGetElement", {"o"}, {"s"}), w::node("SequenceLength", {"s"}, {"length"})},
      {held("o", {kOptional, kSequence}, {"n"})}, {out("length"), out("s"), out("o")});
  const auto run = [&](int64_t holds) {
    return program.run({whole({}, {holds}), real({3}, {1, 2, 3}), whole({2}, {2, 1})});
  };
  const RunOutcome outcome = run(1);
  ASSERT_EQ(outcome.status, 0) << outcome.explained;
  const std::vector<HostTensor> wanted = {whole({}, {2}), real({3}, {1, 2, 3}), whole({2}, {2, 1}),
                                          whole({}, {1}), real({3}, {1, 2, 3}), whole({2}, {2, 1})};
  EXPECT_EQ(outcome.outputs, wanted);
  EXPECT_EQ(run(0).explained, kValue + "s_held is 0, not from 1 to 1");
  EXPECT_EQ(run(2).explained, kValue + "s_held is 2, not from 1 to 1");
}

}  // namespace
}  // namespace burin::emitted_sequences_test
