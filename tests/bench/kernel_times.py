"""Time of each kernel of a tree on a CPU: its schedule is compiled with every kernel inside of two readings of the clock,
in a build of its own; one that threads share with the whole of its loop, from its beginning until all have done
their parts. Sums of all runs, so that what a kernel costs is its share."""
import os
import re

# A kernel that threads share, up to where its parts are given out; or one that is called as it stands.
STEP = re.compile(r"(?P<shared>const auto part = \[&\].*?\bkernels::(?P<part>\w+)\(.*?)burin_rt::run_parallel\(|\bkernels::(?P<alone>\w+)\(",
                  re.DOTALL)
CLOCK = """
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include "rt/parallel.h"
namespace bench {
struct Times {
  double us[%(count)d] = {};
  long long calls[%(count)d] = {};
  ~Times() {
    std::FILE* out = std::fopen(%(path)s, "w");
    for (int i = 0; i < %(count)d; ++i) std::fprintf(out, "%%.4f %%lld\\n", us[i], calls[i]);
    std::fclose(out);
  }
};
inline Times& times() {
  static Times all;
  return all;
}
inline void add(int number, std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
  times().us[number] += taken.count();
  ++times().calls[number];
}
template <int Number, class Kernel, class... Arguments>
void timed(Kernel kernel, Arguments... arguments) {
  const auto begin = std::chrono::steady_clock::now();
  kernel(arguments...);
  add(Number, begin);
}
template <int Number, class Threads, class Part>
bool timed_loop(const Threads& threads, int64_t parts, const Part& part) {
  const auto begin = std::chrono::steady_clock::now();
  const bool done = burin_rt::run_parallel(threads, parts, part);
  add(Number, begin);
  return done;
}
}  // namespace bench
"""


def instrument(tree):
    """Writes the tree's schedule with a clock around each call, in its place. The tree is for this use only."""
    path = os.path.join(tree.folder, f"src/{tree.name}.cpp")
    with open(path, encoding="utf-8") as text:
        source = text.read()
    tree.timed_calls = [step["part"] or step["alone"] for step in STEP.finditer(source)]
    numbers = iter(range(len(tree.timed_calls)))

    def clocked(step):
        if step["alone"]:
            return f"bench::timed<{next(numbers)}>(kernels::{step['alone']}, "
        return f"{step['shared']}bench::timed_loop<{next(numbers)}>("

    source = STEP.sub(clocked, source)
    tree.times_file = path + ".times"
    clock = CLOCK % {"count": max(1, len(tree.timed_calls)), "path": '"' + tree.times_file + '"'}
    with open(path, "w", encoding="utf-8") as text:
        text.write(clock + source)


def read_sums(tree):
    """Microseconds and number of all calls of each kernel, in the order of the schedule, after the tree's process has ended."""
    with open(tree.times_file, encoding="utf-8") as text:
        return [(float(us), int(calls)) for us, calls in map(str.split, text)]


def read(tree):
    """The same of one call."""
    return [us / max(1, calls) for us, calls in read_sums(tree)]
