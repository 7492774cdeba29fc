"""Time of each kernel of a tree on a CPU: its schedule is compiled with every call of a kernel inside of two readings
of the clock, in a build of its own. Sums of all runs, so that what a call costs is its share."""
import os
import re

CALL = re.compile(r"\bkernels::(\w+)\(")
CLOCK = """
#include <chrono>
#include <cstdio>
#include <cstdlib>
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
template <int Number, class Kernel, class... Arguments>
void timed(Kernel kernel, Arguments... arguments) {
  const auto begin = std::chrono::steady_clock::now();
  kernel(arguments...);
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
  times().us[Number] += taken.count();
  ++times().calls[Number];
}
}  // namespace bench
"""


def instrument(tree):
    """Writes the tree's schedule with a clock around each call, in its place. The tree is for this use only."""
    path = os.path.join(tree.folder, f"src/{tree.name}.cpp")
    with open(path, encoding="utf-8") as text:
        source = text.read()
    tree.timed_calls = CALL.findall(source)
    numbers = iter(range(len(tree.timed_calls)))
    source = CALL.sub(lambda call: f"bench::timed<{next(numbers)}>(kernels::{call[1]}, ", source)
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
