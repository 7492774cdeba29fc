// Which of a few trees is the fastest, when times of the same tree differ from run to run: they are
// measured side by side, in turns, and only a difference larger than the spread counts.
//
// The winner of a search has the least of many times, which it owes to luck as well; so these are
// new times. A tree is faster than another where all its times but the worst ones are below all but
// the best ones of the other. Of nine times each, of which one at either end is left out, chance
// alone makes a tree faster in 1 of 590 contests of two.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace burin {

struct Times {
  std::vector<double> us;  // sorted; empty: it could not be measured
  double median() const;
  double low() const;  // the ends of the spread
  double high() const;
};

// Beyond the spread; whatever was measured is faster than what could not be.
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
