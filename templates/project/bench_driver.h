// The part of a program that measures a tree, the same for every tree. It reads one run from a
// request file as test_driver.cpp has it, runs it again and again, and writes how long each took.
// bench.cpp includes program.h and this file, and defines what a Network is made of.
//
// All numbers in the files are little-endian int64.
//   response: status, runs that were timed, nanoseconds of each, sites, per site: nanoseconds in
//             the shortest run, and calls of all runs
#ifndef BURIN_BENCH_DRIVER_H
#define BURIN_BENCH_DRIVER_H

#include <stddef.h>
#include <stdint.h>

namespace burin_bench {

constexpr int kMostSymbols = 64;
constexpr int kMostTensors = 1024;
constexpr int kMostShapeEntries = 4096;
constexpr int kMostRuns = 4096;
constexpr int kFewestRuns = 3;

constexpr int kBadArguments = 64;
constexpr int kCannotRead = 65;
constexpr int kNoMemory = 66;
constexpr int kCannotWrite = 67;

// An input and an output that are one buffer, by their numbers.
struct State {
  int input, output;
};

struct Network {
  int symbols, inputs, outputs;
  size_t context_bytes;
  bool has_weights;  // a file; else they are part of the program
  size_t (*arena_bytes)(const int64_t* dims);
  int32_t (*init)(void* context, void* arena, size_t arena_bytes, const void* weights,
                  size_t weights_bytes);
  int32_t (*run)(void* context, const int64_t* dims, const void* const* inputs,
                 void* const* outputs, const int64_t* capacities, int64_t* shapes);
  void (*share)(int32_t workers);  // the loops of all further runs; null: it cannot
  const State* state;
  int states;
  bool by_events;  // the device times the sites, not the clock here
};

// A kernel whose calls are timed, where the program is built so.
struct Site {
  int64_t ns, least, calls;  // of this run, of the shortest run, of all runs
  uint64_t entered;
};

// What looking at the clock twice takes at least: a part of every call of a site.
static inline int64_t least_tick() {
  constexpr int kTries = 1000;
  int64_t least = 0;
  for (int i = 0; i < kTries; ++i) {
    const uint64_t before = program_nanoseconds();
    const int64_t took = static_cast<int64_t>(program_nanoseconds() - before);
    if (i == 0 || took < least) least = took;
  }
  return least;
}

static inline size_t padded(size_t bytes) { return (bytes + 7) & ~static_cast<size_t>(7); }

static inline int64_t number_in(const char* text) {
  int64_t out = 0;
  for (; *text >= '0' && *text <= '9'; ++text) out = out * 10 + (*text - '0');
  return out;
}

// program REQUEST RESPONSE WORKERS NANOSECONDS [WEIGHTS WEIGHTS_BYTES]
static inline int measure(const Network& network, Site* sites, int64_t site_count, int argc,
                          char** argv) {
  static int64_t dims[kMostSymbols + 1], in_bytes[kMostTensors], out_sizes[2 * kMostTensors];
  static int64_t capacities[kMostTensors], shapes[kMostShapeEntries + 1], times[kMostRuns];
  static const void* in[kMostTensors];
  static void* out[kMostTensors];
  if (argc != (network.has_weights ? 7 : 5)) return kBadArguments;
  void* weights = nullptr;
  size_t weights_bytes = 0;
  if (network.has_weights) {
    weights_bytes = static_cast<size_t>(number_in(argv[6]));
    const int file = program_open(argv[5]);
    weights = program_memory(weights_bytes + 1);
    if (weights == nullptr) return kNoMemory;
    if (file < 0 || program_read(file, weights, weights_bytes) != weights_bytes) return kCannotRead;
    program_close(file);
  }
  const int request = program_open(argv[1]);
  const auto read = [request](void* to, size_t bytes) {
    return program_read(request, to, bytes) == bytes;
  };
  int64_t head[3];  // one run; what memory held before does not matter; states are in one buffer
  const size_t word = sizeof(int64_t);
  if (request < 0 || !read(head, sizeof head) ||
      !read(dims, word * static_cast<size_t>(network.symbols)) ||
      !read(in_bytes, word * static_cast<size_t>(network.inputs)) ||
      !read(out_sizes, 2 * word * static_cast<size_t>(network.outputs)))
    return kCannotRead;
  for (int i = 0; i < network.inputs; ++i) {
    const size_t bytes = padded(static_cast<size_t>(in_bytes[i]));
    void* const memory = program_memory(bytes + 1);
    if (memory == nullptr) return kNoMemory;
    if (!read(memory, bytes)) return kCannotRead;
    in[i] = memory;
  }
  for (int i = 0; i < network.outputs; ++i) {
    capacities[i] = out_sizes[2 * i];
    out[i] = program_memory(static_cast<size_t>(out_sizes[2 * i + 1]) + 1);
    if (out[i] == nullptr) return kNoMemory;
  }
  // What a run writes into a state is the same each time.
  for (int i = 0; i < network.states; ++i) {
    const int from = network.state[i].input, to = network.state[i].output;
    if (in_bytes[from] != out_sizes[2 * to + 1]) return kCannotRead;
    for (int64_t b = 0; b < in_bytes[from]; ++b)
      static_cast<char*>(out[to])[b] = static_cast<const char*>(in[from])[b];
    in[from] = out[to];
  }
  const size_t arena_bytes = network.arena_bytes(dims);
  void* const arena = program_memory(arena_bytes + 1);
  void* const context = program_memory(network.context_bytes);
  if (arena == nullptr || context == nullptr) return kNoMemory;
  const int64_t workers = number_in(argv[3]), budget = number_in(argv[4]);
  if (network.share != nullptr) network.share(static_cast<int32_t>(workers));
  int64_t status = network.init(context, arena, arena_bytes, weights, weights_bytes);
  // The first run finds cold caches.
  if (status == 0) status = network.run(context, dims, in, out, capacities, shapes);
  for (int64_t i = 0; i < site_count; ++i) sites[i].ns = sites[i].calls = 0;
  int64_t runs = 0;
  for (int64_t spent = 0; status == 0 && runs < kMostRuns;) {
    if (runs >= kFewestRuns && spent >= budget) break;
    const uint64_t before = program_nanoseconds();
    status = network.run(context, dims, in, out, capacities, shapes);
    times[runs] = static_cast<int64_t>(program_nanoseconds() - before);
    spent += times[runs++];
    // Others use the machine, too: the shortest is the kernel's own.
    for (int64_t i = 0; i < site_count; ++i) {
      if (runs == 1 || sites[i].ns < sites[i].least) sites[i].least = sites[i].ns;
      sites[i].ns = 0;
    }
  }
  const int response = program_create(argv[2]);
  const auto write = [response](const void* from, size_t bytes) {
    return program_write(response, from, bytes) == bytes;
  };
  const int64_t told[2] = {status, runs};
  if (response < 0 || !write(told, sizeof told) ||
      !write(times, word * static_cast<size_t>(runs)) || !write(&site_count, word))
    return kCannotWrite;
  const int64_t tick = site_count > 0 && !network.by_events ? least_tick() : 0;
  for (int64_t i = 0; i < site_count; ++i) {
    const int64_t clock = runs > 0 ? tick * (sites[i].calls / runs) : 0;
    const int64_t own = sites[i].least > clock ? sites[i].least - clock : 0;
    const int64_t site[2] = {own, sites[i].calls};
    if (!write(site, sizeof site)) return kCannotWrite;
  }
  program_close(response);
  return 0;
}

}  // namespace burin_bench

#endif  // BURIN_BENCH_DRIVER_H
