// State in one buffer against the model as it is: the rows that are there are those of the model's
// output, whatever else reads them, with one buffer for input and output and with two.
#include "plan/append/keep_states.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "errors/support/tiny_model.h"
#include "hardware/load.h"
#include "import/dims.h"
#include "kernel/interpreter/interpreter.h"
#include "pipeline.h"
#include "support/process.h"

namespace burin::keep_states_test {
namespace {

constexpr int64_t kRoom = 8;

using Dims = std::vector<const char*>;

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

KernelGraph lowered_of(const char* text, const Dims& dims, const std::vector<CallerState>& states) {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/m.onnx";
  std::ofstream(path, std::ios::binary) << tiny_model(text).bytes;
  CompileOptions options;
  options.model = path;
  for (const char* dim : dims) options.import.dims.push_back(parse_dim_binding(dim));
  options.states = states;
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
    const Dims dims = {"past=0..5", "fresh=1..3"};
    const KernelGraph as_it_is = lowered_of(network.text, dims, {}),
                      kept = lowered_of(network.text, dims, {{"p", "q"}});
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

// A decoder whose rows have keys of their own number: row b has lengths[b] + 1, the last of which
// are new. `past` is what is in the cache, or the room of one that past and present share.
std::string decoder(const std::string& past, bool rotates) {
  return "opset com.microsoft 1\nopset 17\nin x f32[2,fresh,4]\nin k f32[2,fresh,2]\n"
         "in v f32[2,fresh,2]\nin pk f32[2,1," +
         past + ",2]\nin pv f32[2,1," + past +
         ",2]\nin lengths i32[2]\nin mask f32[2,total]\n"
         "const cos f32[8,1] 1 0.5 -0.25 -1 -0.5 0.25 0.75 1\n"
         "const sin f32[8,1] 0 0.75 1 0.25 -0.75 -1 -0.5 0.125\n"
         "node Shape(mask) -> d name=extent start=1 end=2\nnode Cast(d) -> t name=narrow to=6\n"
         "node GroupQueryAttention(x, k, v, pk, pv, lengths, t, cos, sin) -> y, nk, nv "
         "name=attention domain=com.microsoft num_heads=2 kv_num_heads=1 do_rotary=" +
         (rotates ? "1" : "0") + "\nout y\nout nk\nout nv\n";
}

struct Turn {
  int64_t past, fresh, total;
  int lengths[2];
};
// A prompt whose second row is shorter, steps, rows that go back, and a second prompt.
const Turn kTurns[] = {{0, 3, 3, {2, 1}}, {3, 1, 4, {3, 2}}, {4, 1, 5, {4, 3}}, {5, 2, 7, {6, 5}},
                       {5, 1, 6, {3, 5}}, {6, 1, 7, {4, 6}}, {0, 2, 2, {1, 1}}, {2, 1, 3, {2, 2}}};

HostTensor waves(std::vector<int64_t> shape, double from) {
  HostTensor out = make_tensor(Type::f32, std::move(shape));
  for (int64_t i = 0; i < out.elements(); ++i)
    out.set(i, {double((i * 5 + int64_t(from) * 3) % 11 - 5) / 4, 0});
  return out;
}

// The first `rows` of a cache of [2, 1, room, 2].
HostTensor front(const HostTensor& cache, int64_t rows) {
  HostTensor out = make_tensor(Type::f32, {2, 1, rows, 2});
  for (int64_t i = 0; i < out.elements(); ++i)
    out.set(i, cache.get(i / (rows * 2) * (cache.shape[2] * 2) + i % (rows * 2)));
  return out;
}

// Present of the model has zeros behind a row's keys; the buffer may have there what it had.
void expect_keys(const HostTensor& got, const HostTensor& wanted, const Turn& turn) {
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t i = 0; i <= turn.lengths[b]; ++i) {
      for (int64_t e = 0; e < 2; ++e)
        EXPECT_EQ(got.get((b * got.shape[2] + i) * 2 + e).number,
                  wanted.get((b * wanted.shape[2] + i) * 2 + e).number)
            << "row " << b << ", position " << i << " of " << turn.total;
    }
  }
}

TEST(KeepStates, RowsOfAGroupedCacheHaveLengthsOfTheirOwn) {
  for (const bool shared : {false, true}) {
    for (const bool rotates : {false, true}) {
      const std::string text = decoder(shared ? "8" : "past", rotates);
      Dims dims = {"fresh=1..3", "total=1..8"};
      if (!shared) dims.push_back("past=0..6");
      const KernelGraph as_it_is = lowered_of(text.c_str(), dims, {}),
                        kept = lowered_of(text.c_str(), dims, {{"pk", "nk"}, {"pv", "nv"}});
      // The buffer has nothing that is a number.
      HostTensor keys = make_tensor(Type::f32, {2, 1, 8, 2}), values = keys, kept_keys = keys;
      for (int64_t i = 0; i < kept_keys.elements(); ++i)
        kept_keys.set(i, {std::numeric_limits<double>::quiet_NaN(), 0});
      HostTensor kept_values = kept_keys;
      for (const Turn& turn : kTurns) {
        const auto from = double(turn.total + turn.past);
        const HostTensor x = waves({2, turn.fresh, 4}, from),
                         k = waves({2, turn.fresh, 2}, from + 1),
                         v = waves({2, turn.fresh, 2}, from + 2);
        const HostTensor lengths =
            make_tensor(Type::i32, {2}, std::vector<int64_t>{turn.lengths[0], turn.lengths[1]});
        const HostTensor mask = make_tensor(Type::f32, {2, turn.total});
        std::map<std::string, int64_t> symbols = {{"fresh", turn.fresh}, {"total", turn.total}};
        if (!shared) symbols["past"] = turn.past;
        const int64_t past = shared ? 8 : turn.past;
        const RunResult wanted = interpret(
            as_it_is, {x, k, v, front(keys, past), front(values, past), lengths, mask}, symbols);
        const RunResult got =
            interpret(kept, {x, k, v, kept_keys, kept_values, lengths, mask}, symbols);
        ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
        ASSERT_EQ(got.status, kRunOk) << got.message;
        for (int64_t i = 0; i < wanted.outputs[0].elements(); ++i)
          EXPECT_EQ(got.outputs[0].get(i).number, wanted.outputs[0].get(i).number)
              << i << " of total " << turn.total << " behind " << turn.past;
        keys = wanted.outputs[1];
        values = wanted.outputs[2];
        kept_keys = got.outputs[1];
        kept_values = got.outputs[2];
        expect_keys(kept_keys, keys, turn);
        expect_keys(kept_values, values, turn);
      }
    }
  }
}

}  // namespace
}  // namespace burin::keep_states_test
