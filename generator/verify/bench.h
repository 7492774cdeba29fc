// How long a tree takes: emitted, compiled with the compiler of the description, run by its runner
// on made-up inputs at the sizes that the tree was made for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline.h"
#include "verify/build.h"

namespace burin {

struct BenchOptions {
  CompileOptions compile;
  Hardware hardware;
  std::string compiler;      // by name; empty: the first
  int threads = 0;           // the most; 0: as many as share loops of the tree
  int64_t ns = 500'000'000;  // that each measurement may take; at least three runs are made
  int jobs = 1;              // compilers at a time
  PackAssembly pack{};       // of the tree's sources (build.h)
  std::string tree;  // a folder: what lies there is compiled, edited or not; empty: a new one
  bool without_model = false;  // that folder says all that is known
};

struct RunTimes {
  int threads = 1;
  int64_t median_ns = 0, least_ns = 0, runs = 0;
};

struct KernelTime {
  std::string name;  // of the function
  std::vector<Origin> nodes;
  // Of a run; by the peaks of the description. 0 where a step of the network is several launches.
  int64_t macs = 0, least_ns = 0;
  // In the shortest run, and in each, on one thread; of a device by events of its queue.
  int64_t ns = 0, calls = 0;
  // Of so many calls, by cost/ at the clock of the description; 0: it has no program.
  int64_t predicted_ns = 0;
  // What bytes take on their way, and loops that take elements one by one: parts of it.
  int64_t predicted_memory_ns = 0, predicted_one_by_one_ns = 0;
  int64_t bytes_read = 0, bytes_written = 0;  // of a run, each operand once
};

struct BenchResult {
  std::string model, hardware, compiler;
  std::string sizes;    // "'batch' = 64"
  std::string runner;   // that stands in front of the program; empty: this machine's own
  std::string unknown;  // what is not told, and what would tell it; empty: nothing
  int64_t macs = 0, least_ns = 0;
  std::vector<RunTimes> whole;      // by threads
  std::vector<KernelTime> kernels;  // the longest first
};

// Those that are not there yet: a function may be called for several steps of one node.
void add_nodes(const std::vector<Origin>& nodes, std::vector<Origin>& to);

// Spearman's rank correlation of predicted and measured times of the kernels that have both, in
// percent; nullopt where fewer than three have. O(n log n).
std::optional<int> rank_correlation(const std::vector<KernelTime>& kernels);

// Refuses what generate refuses. Throws ToolFailed where compiler or runner fail, or the run gives
// a status.
BenchResult bench(const BenchOptions& options);

// For people; beside an earlier result, where there is one.
std::string to_text(const BenchResult& result, const std::optional<BenchResult>& earlier);
std::string to_json(const BenchResult& result);
// What to_json gave. Refused as json files are, and where the figures are of another model.
BenchResult read_bench(const std::string& path);

}  // namespace burin
