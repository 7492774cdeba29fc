// Packing problems that greedy rules miss by a third and more, each with a capacity that is known
// to be reachable: how many does the search solve? Prints one line per problem and a summary.
//
//   hard_packings [nodes per problem]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "plans/support/packing_instances.h"

int main(int argc, char** argv) {
  using namespace burin;
  const int64_t nodes = argc > 1 ? std::atoll(argv[1]) : 1000000;
  constexpr int64_t kCapacity = 16384;
  int solved = 0;
  int problems = 0;
  for (const int removed_percent : {0, 5, 15, 30}) {
    for (uint64_t seed = 0; seed < 11; ++seed) {
      const int count = 150 + 30 * static_cast<int>(seed);
      test::Numbers numbers(seed);
      const std::vector<LiveBuffer> buffers =
          test::cut_buffers(numbers, count, count, kCapacity, removed_percent);
      const BufferPacking greedy = pack_buffers_greedily(buffers);
      const auto start = std::chrono::steady_clock::now();
      const BufferPacking solution =
          pack_buffers(buffers, {.node_budget = nodes, .give_up_height = kCapacity});
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      const std::string fault = check_buffer_packing(buffers, solution);
      if (!fault.empty()) {
        std::printf("%s\n", fault.c_str());
        return 1;
      }
      const auto ratio = [](int64_t height) {
        return static_cast<double>(height) / static_cast<double>(kCapacity);
      };
      const bool fits = solution.height <= kCapacity;
      std::printf("%3zu buffers, %2d %% removed: greedy %.3f, now %.3f %s, %lld nodes, %.2f s\n",
                  buffers.size(), removed_percent, ratio(greedy.height), ratio(solution.height),
                  fits ? "solved" : "      ", static_cast<long long>(solution.nodes),
                  seconds.count());
      solved += fits;
      ++problems;
    }
  }
  std::printf("%d of %d at capacity\n", solved, problems);
  return 0;
}
