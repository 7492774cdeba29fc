// The part of a test program that is the same for every emitted tree, and compiled once for many of
// them. It reads runs from a request file, gives the network exactly the memory that it asks for,
// between guards, and writes what came out.
//
// All numbers in the files are little-endian int64.
//   request:  runs; per run: fill, whether states are in one buffer each, dims[symbols], per input:
//             bytes, per output: capacity, bytes; then the inputs, each padded to a multiple of 8
//   response: per run: status, faults, arena bytes, length of what the network explains of the
//             status, shapes[shape_entries]; then that text and the outputs, each padded to a
//             multiple of 8
// `fill` is the byte that memory holds before the run: two runs that differ in it alone show
// whether anything is read that was never written.
#include "test_driver.h"

#include <stddef.h>
#include <stdint.h>

#include "program.h"

#if defined(__SANITIZE_ADDRESS__)
#define BURIN_TEST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BURIN_TEST_ASAN 1
#endif
#endif
#if defined(BURIN_TEST_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace burin_test {
namespace {

constexpr int kMostSymbols = 64;
constexpr int kMostTensors = 1024;       // inputs and outputs each
constexpr int kMostShapeEntries = 4096;  // of all outputs whose size depends on data
constexpr size_t kGuardBytes = 4096;
constexpr unsigned char kGuard = 0xC3;
constexpr size_t kMostAlign = 256;  // that a network asks for

// Exit status of the program; the network's own statuses are in the response.
constexpr int kBadArguments = 64;
constexpr int kCannotRead = 65;
constexpr int kNoMemory = 66;
constexpr int kCannotWrite = 67;

// Bits of a run's `faults`.
constexpr int64_t kArenaGuardBroken = 1;
constexpr int64_t kOutputGuardBroken = 2;
constexpr int64_t kInputChanged = 4;
constexpr int64_t kContextGuardBroken = 8;

void fill_bytes(unsigned char* at, size_t bytes, unsigned char value) {
  for (size_t i = 0; i < bytes; ++i) at[i] = value;
}

// Memory between two guards, aligned to a page; of exactly `bytes` bytes. With BURIN_TEST_PAGES, a
// size of pages, it begins at a multiple of `align` and ends, but for what that leaves, where pages
// are that nobody may read.
struct Guarded {
  unsigned char* data;
  size_t bytes, behind;  // behind: the guard that is looked at

  bool take(size_t wanted, unsigned char fill, size_t align = 1) {
    bytes = wanted;
    behind = kGuardBytes;
#if defined(BURIN_TEST_PAGES)
    const size_t page = BURIN_TEST_PAGES;
    behind = (align - wanted % align) % align;
    const size_t usable = (kGuardBytes + wanted + behind + page - 1) / page * page;
    unsigned char* base = static_cast<unsigned char*>(program_memory(usable + page));
    if (base == nullptr || !program_forbid(base + usable, page)) return false;
    base += usable - behind - wanted - kGuardBytes;
#else
    (void)align;
    unsigned char* const base =
        static_cast<unsigned char*>(program_memory(wanted + 2 * kGuardBytes));
    if (base == nullptr) return false;
#endif
    data = base + kGuardBytes;
    fill_bytes(base, kGuardBytes, kGuard);
    fill_bytes(data, bytes, fill);
    fill_bytes(data + bytes, behind, kGuard);
    return true;
  }
  // Makes the sanitizer report every access to the guards, reads too.
  void protect() const {
#if defined(BURIN_TEST_ASAN)
    __asan_poison_memory_region(data - kGuardBytes, kGuardBytes);
    __asan_poison_memory_region(data + bytes, behind);
#endif
  }
  bool intact() const {
#if defined(BURIN_TEST_ASAN)
    __asan_unpoison_memory_region(data - kGuardBytes, kGuardBytes);
    __asan_unpoison_memory_region(data + bytes, behind);
#endif
    for (size_t i = 0; i < kGuardBytes; ++i) {
      if (i < behind && data[bytes + i] != kGuard) return false;
      if (data[static_cast<ptrdiff_t>(i) - static_cast<ptrdiff_t>(kGuardBytes)] != kGuard)
        return false;
    }
    return true;
  }
};

size_t padded(size_t bytes) { return (bytes + 7) & ~static_cast<size_t>(7); }

uint32_t sum_of(const Guarded& memory) {
  uint32_t sum = 2166136261U;
  for (size_t i = 0; i < memory.bytes; ++i) sum = (sum ^ memory.data[i]) * 16777619U;
  return sum;
}

struct Exchange {
  int request, response;

  bool read(void* to, size_t bytes) const { return program_read(request, to, bytes) == bytes; }
  bool write(const void* from, size_t bytes) const {
    return program_write(response, from, bytes) == bytes;
  }
  bool read_padded(void* to, size_t bytes) const {
    unsigned char rest[8];
    return read(to, bytes) && read(rest, padded(bytes) - bytes);
  }
  bool write_padded(const void* from, size_t bytes) const {
    const unsigned char rest[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    return write(from, bytes) && write(rest, padded(bytes) - bytes);
  }
};

int run_once(const Network& network, const Exchange& files, const void* weights,
             size_t weights_bytes) {
  static int64_t dims[kMostSymbols + 1], in_bytes[kMostTensors], out_sizes[2 * kMostTensors];
  static int64_t capacities[kMostTensors], shapes[kMostShapeEntries + 1];
  static Guarded in[kMostTensors], out[kMostTensors];
  static const void* in_data[kMostTensors];
  static void* out_data[kMostTensors];
  static uint32_t sums[kMostTensors];
  const size_t word = sizeof(int64_t);
  int64_t head[2];  // the fill, and whether states are in one buffer each
  if (!files.read(head, sizeof head) ||
      !files.read(dims, word * static_cast<size_t>(network.symbols)) ||
      !files.read(in_bytes, word * static_cast<size_t>(network.inputs)) ||
      !files.read(out_sizes, 2 * word * static_cast<size_t>(network.outputs))) {
    return kCannotRead;
  }
  const unsigned char fill = static_cast<unsigned char>(head[0] & 255);
  for (int i = 0; i < network.inputs; ++i) {
    if (!in[i].take(static_cast<size_t>(in_bytes[i]), 0)) return kNoMemory;
    if (!files.read_padded(in[i].data, in[i].bytes)) return kCannotRead;
    sums[i] = sum_of(in[i]);
    in_data[i] = in[i].data;
    in[i].protect();
  }
  for (int i = 0; i < network.outputs; ++i) {
    capacities[i] = out_sizes[2 * i];
    if (!out[i].take(static_cast<size_t>(out_sizes[2 * i + 1]), fill)) return kNoMemory;
    out_data[i] = out[i].data;
    out[i].protect();
  }
  for (int i = 0; head[1] != 0 && i < network.states; ++i) {
    const Guarded &from = in[network.state[i].input], &to = out[network.state[i].output];
    if (from.bytes != to.bytes) return kCannotRead;
    for (size_t b = 0; b < to.bytes; ++b) to.data[b] = from.data[b];
    in_data[network.state[i].input] = to.data;
  }
  fill_bytes(reinterpret_cast<unsigned char*>(shapes), sizeof shapes, fill);

  Guarded arena, context;
  const size_t arena_bytes = network.arena_bytes(dims);
  if (!arena.take(arena_bytes, fill, kMostAlign) ||
      !context.take(network.context_bytes, fill, kMostAlign))
    return kNoMemory;
  arena.protect();
  context.protect();
  int32_t status = network.init(context.data, arena.data, arena_bytes, weights, weights_bytes);
  const bool ready = status == 0;
  if (ready) status = network.run(context.data, dims, in_data, out_data, capacities, shapes);
  char text[kMostText];
  size_t length = status == 0 ? 0 : network.explain(context.data, status, text, kMostText);
  if (length >= kMostText) length = kMostText - 1;
  if (ready && network.release != nullptr) network.release(context.data);
  int64_t faults = 0;
  if (!arena.intact()) faults |= kArenaGuardBroken;
  if (!context.intact()) faults |= kContextGuardBroken;
  for (int i = 0; i < network.outputs; ++i) {
    if (!out[i].intact()) faults |= kOutputGuardBroken;
  }
  for (int i = 0; i < network.inputs; ++i) {
    if (!in[i].intact() || sum_of(in[i]) != sums[i]) faults |= kInputChanged;
  }

  const int64_t told[4] = {status, faults, static_cast<int64_t>(arena_bytes),
                           static_cast<int64_t>(length)};
  if (!files.write(told, sizeof told) ||
      !files.write(shapes, word * static_cast<size_t>(network.shape_entries)) ||
      !files.write_padded(text, length)) {
    return kCannotWrite;
  }
  for (int i = 0; i < network.outputs; ++i) {
    if (!files.write_padded(out[i].data, out[i].bytes)) return kCannotWrite;
  }
  return 0;
}

// program REQUEST RESPONSE [WEIGHTS WEIGHTS_BYTES]
int drive(const Network& network, int argc, char** argv) {
  if (argc != (network.has_weights ? 5 : 3)) return kBadArguments;
  Guarded weights = {nullptr, 0, 0};
  if (network.has_weights) {
    size_t bytes = 0;
    for (const char* c = argv[4]; *c >= '0' && *c <= '9'; ++c)
      bytes = bytes * 10 + static_cast<size_t>(*c - '0');
    const int file = program_open(argv[3]);
    if (file < 0) return kCannotRead;
    if (!weights.take(bytes, 0, kMostAlign)) return kNoMemory;
    if (program_read(file, weights.data, bytes) != bytes) return kCannotRead;
    program_close(file);
    weights.protect();
  }
  const Exchange files = {program_open(argv[1]), program_create(argv[2])};
  if (files.request < 0) return kCannotRead;
  if (files.response < 0) return kCannotWrite;
  int64_t runs = 0;
  if (!files.read(&runs, sizeof runs)) return kCannotRead;
  for (int64_t i = 0; i < runs; ++i) {
    const int failed = run_once(network, files, weights.data, weights.bytes);
    if (failed != 0) return failed;
  }
  program_close(files.request);
  program_close(files.response);
  return 0;
}

}  // namespace
}  // namespace burin_test

int program_main(int argc, char** argv) {
  return burin_test::drive(burin_test::network(), argc, argv);
}
