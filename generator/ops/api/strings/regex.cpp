#include "ops/api/strings/regex.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kMostRepeats = 1000, kMostDepth = 200;
constexpr size_t kMostAtoms = 1 << 16;  // that are read of a pattern, copies of repetitions too

class Parser {
 public:
  explicit Parser(const std::string& pattern) : pattern_(pattern) {}

  Automaton run() {
    const Part all = alternatives(0);
    if (at_ < pattern_.size()) fail("a bracket is closed that was not opened");
    return parts_.take(all);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    refuse("bad-attribute",
           "the pattern " + quoted(pattern_) + ", at " + std::to_string(at_) + ": " + what);
  }
  [[noreturn]] void unknown(const std::string& what) const {
    refuse("unsupported-feature",
           "the pattern " + quoted(pattern_) + " has " + what + ", at " + std::to_string(at_));
  }

  bool more() const { return at_ < pattern_.size(); }
  bool next_is(char c) const { return more() && pattern_[at_] == c; }
  bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  char take() {
    if (!more()) fail("it ends too early");
    return pattern_[at_++];
  }

  // --- Syntax ---

  Part alternatives(int depth) {
    if (depth > kMostDepth) fail("its groups are nested too deeply");
    Part out = terms(depth);
    while (take('|')) out = AutomatonBuilder::choice(std::move(out), terms(depth));
    return out;
  }

  Part terms(int depth) {
    Part out;
    while (more() && !next_is('|') && !next_is(')'))
      out = parts_.sequence(std::move(out), repeated(depth));
    return out;
  }

  Part repeated(int depth) {
    const size_t begin = at_;
    Part out = atom(depth);
    while (more()) {
      const size_t end = at_;
      int least = 0;
      std::optional<int> most;
      if (take('*')) {
      } else if (take('+')) {
        least = 1;
      } else if (take('?')) {
        most = 1;
      } else if (next_is('{') && counts(least, most)) {
      } else {
        break;
      }
      take('?');  // which of several matches is found does not matter
      out = times(std::move(out), begin, end, depth, least, most);
    }
    return out;
  }

  // {m}, {m,} and {m,n}; anything else is text.
  bool counts(int& least, std::optional<int>& most) {
    const size_t begin = at_;
    ++at_;
    const auto number = [&]() -> std::optional<int> {
      std::optional<int> out;
      while (more() && pattern_[at_] >= '0' && pattern_[at_] <= '9' && out.value_or(0) < 100000)
        out = out.value_or(0) * 10 + (pattern_[at_++] - '0');
      return out;
    };
    const std::optional<int> first = number();
    std::optional<int> second = first;
    if (first && take(',')) second = number();
    if (!first || !take('}')) {
      at_ = begin;
      return false;
    }
    least = *first;
    most = second;
    if (least > kMostRepeats || most.value_or(0) > kMostRepeats || (most && *most < least))
      fail("it repeats too often");
    return true;
  }

  // The part again and again: its copies are read from the text once more.
  Part times(Part part, size_t begin, size_t end, int depth, int least, std::optional<int> most) {
    const size_t behind = at_;
    bool used = false;
    const auto copy = [&] {
      if (!used) {
        used = true;
        return part;
      }
      at_ = begin;
      Part again = atom(depth);
      while (at_ < end) {  // repetitions of repetitions
        int inner_least = 0;
        std::optional<int> inner_most;
        const size_t inner_end = at_;
        if (take('*')) {
        } else if (take('+')) {
          inner_least = 1;
        } else if (take('?')) {
          inner_most = 1;
        } else {
          counts(inner_least, inner_most);
        }
        take('?');
        again = times(std::move(again), begin, inner_end, depth, inner_least, inner_most);
      }
      return again;
    };
    Part out;
    const int apart = most ? least : std::max(least - 1, 0);
    for (int k = 0; k < apart; ++k) out = parts_.sequence(std::move(out), copy());
    if (!most) {
      Part loop = parts_.one_or_more(copy());
      if (least == 0) loop.empty = {0};
      out = parts_.sequence(std::move(out), loop);
    } else {
      // x{0,3} as (x(x(x)?)?)?, from inside out.
      Part tail;
      for (int k = least; k < *most; ++k) {
        tail = parts_.sequence(copy(), tail);
        tail.empty = {0};
      }
      out = parts_.sequence(std::move(out), tail);
    }
    at_ = behind;
    return out;
  }

  Part atom(int depth) {
    if (++atoms_ > kMostAtoms) fail("it repeats too often");
    const char c = take();
    switch (c) {
      case '(':
        return group(depth);
      case '[':
        return parts_.of_class(brackets(), fold_);
      case '.': {
        CodeClass any;
        any.ascii.set();
        if (!dot_all_) any.ascii.reset('\n');
        any.all_others = true;
        return parts_.of_class(any, fold_);
      }
      case '^':
        return AutomatonBuilder::asked(kBegin);
      case '$':
        return AutomatonBuilder::asked(kEnd);
      case '*':
      case '+':
      case '?':
        fail("nothing is repeated");
      case '\\':
        return escape();
      default:
        --at_;
        return parts_.of_class(only_code(code_point()), fold_);
    }
  }

  Part group(int depth) {
    bool fold = fold_, dot_all = dot_all_;
    const bool outer_fold = fold_, outer_dot = dot_all_;
    if (take('?')) {
      if (take('P') || next_is('<')) {
        if (!take('<')) unknown("a group of a kind");
        if (next_is('=') || next_is('!')) unknown("a look behind");
        while (take() != '>') {
        }
      } else {
        bool on = true;
        while (!next_is(':') && !next_is(')')) {
          const char flag = take();
          if (flag == '-') {
            on = false;
          } else if (flag == 'i') {
            fold = on;
          } else if (flag == 's') {
            dot_all = on;
          } else if (flag != 'U') {
            unknown(std::string("the flag ") + flag);
          }
        }
        if (take(')')) {  // from here on
          fold_ = fold;
          dot_all_ = dot_all;
          return {};
        }
        take(':');
      }
    }
    fold_ = fold;
    dot_all_ = dot_all;
    Part out = alternatives(depth + 1);
    if (!take(')')) fail("a bracket is not closed");
    fold_ = outer_fold;
    dot_all_ = outer_dot;
    return out;
  }

  int code_point() {
    const int lead = static_cast<unsigned char>(take());
    if (lead < 0x80) return lead;
    const int count = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    int code = lead & (0x3F >> count);
    for (int k = 0; k < count; ++k) {
      const int byte = static_cast<unsigned char>(take());
      if (lead < 0xC2 || lead > 0xF4 || (byte & 0xC0) != 0x80) fail("it is no UTF-8");
      code = code << 6 | (byte & 63);
    }
    return code;
  }

  // \d and its kind; nullopt: another escape.
  static std::optional<CodeClass> named(char letter) {
    CodeClass out;
    const auto add = [&](int first, int last) {
      for (int c = first; c <= last; ++c) out.ascii.set(static_cast<size_t>(c));
    };
    switch (letter | 32) {
      case 'd':
        add('0', '9');
        break;
      case 'w':
        add('0', '9'), add('A', 'Z'), add('a', 'z'), add('_', '_');
        break;
      case 's':
        add('\t', '\n'), add('\f', '\r'), add(' ', ' ');
        break;
      default:
        return std::nullopt;
    }
    if ((letter & 32) == 0) {
      out.ascii.flip();
      out.all_others = true;
    }
    return out;
  }

  // Behind a backslash: one code.
  int escaped_code(char letter) {
    switch (letter) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'f':
        return '\f';
      case 'v':
        return '\v';
      case 'a':
        return '\a';
      case 'x': {
        const bool long_form = take('{');
        int code = 0, digits = 0;
        while (more() && std::isxdigit(static_cast<unsigned char>(pattern_[at_])) &&
               (long_form || digits < 2) && digits < 6) {
          const char c = take();
          code = code * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
          ++digits;
        }
        if (digits == 0 || (long_form && !take('}')) || code > 0x10FFFF) fail("a code is wrong");
        return code;
      }
      default:
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
          unknown(std::string("the escape \\") + letter);
        --at_;
        return code_point();
    }
  }

  Part escape() {
    const char letter = take();
    if (letter == 'A') return AutomatonBuilder::asked(kBegin);
    if (letter == 'z') return AutomatonBuilder::asked(kEnd);
    if (letter == 'b') return AutomatonBuilder::asked(kBorder);
    if (letter == 'B') return AutomatonBuilder::asked(kNoBorder);
    if (const std::optional<CodeClass> set = named(letter)) return parts_.of_class(*set, fold_);
    if (letter == 'Q') {
      Part out;
      const size_t end = std::min(pattern_.find("\\E", at_), pattern_.size());
      while (at_ < end)
        out = parts_.sequence(std::move(out), parts_.of_class(only_code(code_point()), fold_));
      at_ = std::min(pattern_.size(), end + 2);
      return out;
    }
    return parts_.of_class(only_code(escaped_code(letter)), fold_);
  }

  CodeClass brackets() {
    const bool negated = take('^');
    CodeClass out;
    for (bool begun = false; !next_is(']') || !begun; begun = true) {
      if (take('[')) {
        if (!take(':')) {
          out.ascii.set('[');
          continue;
        }
        add_posix(out);
        continue;
      }
      int first;
      if (take('\\')) {
        const char letter = take();
        if (const std::optional<CodeClass> set = named(letter)) {
          out.ascii |= set->ascii;
          out.all_others = out.all_others || set->all_others;
          continue;
        }
        first = escaped_code(letter);
      } else {
        first = code_point();
      }
      int last = first;
      if (next_is('-') && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']') {
        ++at_;
        last = take('\\') ? escaped_code(take()) : code_point();
        if (last < first) fail("a range ends before it begins");
      }
      add_codes(out, first, last);
    }
    ++at_;
    return negated ? without(out) : out;
  }

  void add_posix(CodeClass& to) {
    const size_t end = pattern_.find(":]", at_);
    if (end == std::string::npos) fail("a class has no end");
    const std::string name = pattern_.substr(at_, end - at_);
    at_ = end + 2;
    const std::map<std::string, int (*)(int)> kNamed = {
        {"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum}, {"upper", isupper},
        {"lower", islower}, {"space", isspace}, {"punct", ispunct}, {"xdigit", isxdigit}};
    const auto is = kNamed.find(name);
    if (is == kNamed.end()) unknown("the class " + name);
    for (int c = 0; c < 128; ++c) {
      if (is->second(c) != 0) to.ascii.set(static_cast<size_t>(c));
    }
  }

  const std::string& pattern_;
  size_t at_ = 0, atoms_ = 0;  // atoms are counted as often as they are read
  bool fold_ = false, dot_all_ = false;
  AutomatonBuilder parts_{pattern_.find("\\b") != std::string::npos ||
                          pattern_.find("\\B") != std::string::npos};
};

}  // namespace

Automaton automaton_of(const std::string& pattern) { return Parser(pattern).run(); }

}  // namespace burin
