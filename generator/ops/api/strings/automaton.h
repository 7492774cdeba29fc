// Regular expressions as automata over bytes (Glushkov, "The abstract theory of automata", 1961): a
// position for every class of bytes in the expression, and which may follow which. A position is
// where a string may be at after a byte; the string matches where its last byte is at a last one.
// What is asked of a place between two bytes (an anchor, a word's border) is decided where they are
// put side by side: positions are of bytes of words, or of others.
#pragma once

#include <bitset>
#include <string>
#include <utility>
#include <vector>

namespace burin {

struct Automaton {
  std::vector<std::bitset<256>> bytes;   // by position: what is read there
  std::vector<std::vector<int>> follow;  // by position: where the next byte may be
  std::vector<int> first, last;          // where a match begins and ends
  bool empty = false;                    // the empty string matches
};

// What is asked of a place between bytes; several as a sum.
enum Asked : int { kBegin = 1, kEnd = 2, kBorder = 4, kNoBorder = 8 };

struct Reached {
  int position = 0;
  int asked = 0;  // in front of a first position, behind a last one
  bool operator==(const Reached&) const = default;
};

// A part of an expression: where it begins and ends, and what is asked where it is empty (one
// entry: one way to be so). As it is made it is the empty string.
struct Part {
  std::vector<Reached> first, last;
  std::vector<int> empty = {0};
};

// Code points: those below 0x80 by themselves, and the others as ranges (first and last) or all of
// them.
struct CodeClass {
  std::bitset<128> ascii;
  std::vector<std::pair<int, int>> others = {};
  bool all_others = false;
};

CodeClass only_code(int code);
void add_codes(CodeClass& to, int first, int last);
// All codes that are not of the class.
CodeClass without(CodeClass set);

// Makes the positions of parts, each used once. O(positions squared) altogether.
class AutomatonBuilder {
 public:
  // `words`: whether borders of words are asked for.
  explicit AutomatonBuilder(bool words) : words_(words) {}
  static Part asked(Asked what) { return {{}, {}, {what}}; }
  // One code of the class; the other case of ASCII letters, too, where `fold`.
  Part of_class(CodeClass set, bool fold);
  Part sequence(Part a, const Part& b);
  static Part choice(Part a, const Part& b);
  static Part nothing() { return {{}, {}, {}}; }  // no string at all
  Part one_or_more(Part part);

  Automaton take(const Part& all);

 private:
  Part one(const std::bitset<256>& bytes);
  Part range(int first, int last);
  void connect(const std::vector<Reached>& from, const std::vector<Reached>& to);
  bool of_word(int position) const;

  bool words_;
  Automaton out_;
};

}  // namespace burin
