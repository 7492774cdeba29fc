// Which of a few trees is the fastest, when times of the same tree differ from run to run: they are
// measured side by side, in turns, and only a difference that is hardly chance counts.
//
// The winner of a search has the least of many times, which it owes to luck as well; so these are
// new times. Which of two trees is faster is told by ranks (Mann and Whitney's U: of all pairs of a
// time of each, those in which the first is not less), because times on shared machines have a few
// that are far off. Of nine times each, chance alone makes a tree faster in 1 of 255 contests of
// two.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace burin {

struct Times {
  std::vector<double> us;  // sorted; empty: it could not be measured
  double median() const;
  double low() const;  // the ends of the spread: without one in eight at either end
  double high() const;
};

// Beyond chance; whatever was measured is faster than what could not be.
bool is_faster(const Times& a, const Times& b);

// "812.4 us (801.0 to 830.2)".
std::string to_string(const Times& times);

// Each of `count` trees `rounds` times, in turns. One that fails in more than half of them has no
// times. `cost`: microseconds, infinity where it fails.
std::vector<Times> measure_in_turns(size_t count, int rounds,
                                    const std::function<double(size_t)>& cost);

// Tree 0 is the untuned one. `holder` keeps its place unless another is faster; what is not faster
// than the untuned one is not tuned at all.
size_t winner_of(const std::vector<Times>& times, size_t holder);

}  // namespace burin
