// State in one buffer against the model as it is: the rows that are there are those of the model's
// output, whatever else reads them, with one buffer for input and output and with two.
#include "plan/append/keep_states.h"

#include <gtest/gtest.h>

#include <fstream>

#include "errors/support/tiny_model.h"
#include "hardware/load.h"
#include "import/dims.h"
#include "kernel/interpreter/interpreter.h"
#include "pipeline.h"
#include "support/process.h"

namespace burin::keep_states_test {
namespace {

constexpr int64_t kRoom = 8;

struct Network {
  const char* text;
  int dimension;
  std::vector<int64_t> shape;  // of the state; -1: rows
};

const Network kNetworks[] = {
    {"in p f32[2,past,3]\nin n f32[2,fresh,3]\nnode Concat(p, n) -> q name=join axis=1\n"
     "node Mul(q, q) -> m name=square\nnode ReduceSum(m) -> s name=sum keepdims=0\nout q\nout s\n",
     1,
     {2, -1, 3}},
    {"in p f32[past,4]\nin n f32[fresh,4]\nnode Neg(n) -> t name=turn\n"
     "node Concat(p, t) -> q name=join axis=0\nnode ReduceMax(q) -> s name=most keepdims=0\n"
     "out q\nout s\n",
     0,
     {-1, 4}},
};

KernelGraph lowered_of(const Network& network, bool kept) {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/m.onnx";
  std::ofstream(path, std::ios::binary) << tiny_model(network.text).bytes;
  CompileOptions options;
  options.model = path;
  for (const char* dim : {"past=0..5", "fresh=1..3"})
    options.import.dims.push_back(parse_dim_binding(dim));
  if (kept) options.states = {{"p", "q"}};
  return compile(options,
                 load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/cpp-generic.json"))
      .lowered;
}

std::vector<int64_t> shape_of(const Network& network, int64_t rows) {
  std::vector<int64_t> out = network.shape;
  out[static_cast<size_t>(network.dimension)] = rows;
  return out;
}

// Element number `i` of `rows` rows, in a buffer with room for more.
int64_t place(const Network& network, int64_t i, int64_t rows) {
  int64_t inner = 1;
  for (size_t d = static_cast<size_t>(network.dimension) + 1; d < network.shape.size(); ++d)
    inner *= network.shape[d];
  return i / (rows * inner) * (kRoom * inner) + i % (rows * inner);
}

TEST(KeepStates, RowsAreThoseOfTheModel) {
  for (const Network& network : kNetworks) {
    const KernelGraph as_it_is = lowered_of(network, false), kept = lowered_of(network, true);
    for (const auto& [past, fresh] :
         std::vector<std::pair<int64_t, int64_t>>{{0, 1}, {1, 2}, {4, 3}, {5, 1}, {5, 3}}) {
      const std::map<std::string, int64_t> symbols{{"past", past}, {"fresh", fresh}};
      HostTensor before = make_tensor(Type::f32, shape_of(network, past)),
                 more = make_tensor(Type::f32, shape_of(network, fresh)),
                 room = make_tensor(Type::f32, shape_of(network, kRoom));
      for (int64_t i = 0; i < more.elements(); ++i) more.set(i, {2.5 * double(i) - 7, 0});
      // What lies behind counts nowhere.
      for (int64_t i = 0; i < room.elements(); ++i) room.set(i, {1e30, 0});
      for (int64_t i = 0; i < before.elements(); ++i) {
        before.set(i, {double(i % 7) - 3, 0});
        room.set(place(network, i, past), {double(i % 7) - 3, 0});
      }
      const RunResult wanted = interpret(as_it_is, {before, more}, symbols),
                      got = interpret(kept, {room, more}, symbols);
      ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
      ASSERT_EQ(got.status, kRunOk) << got.message;
      ASSERT_EQ(got.outputs[0].shape, shape_of(network, kRoom));
      for (int64_t i = 0; i < wanted.outputs[0].elements(); ++i)
        EXPECT_EQ(got.outputs[0].get(place(network, i, past + fresh)).number,
                  wanted.outputs[0].get(i).number)
            << past << ' ' << fresh << ' ' << i;
      EXPECT_EQ(got.outputs[1].get(0).number, wanted.outputs[1].get(0).number);
    }
  }
}

}  // namespace
}  // namespace burin::keep_states_test
