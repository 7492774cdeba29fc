#include "ops/api/strings/automaton.h"

#include <algorithm>
#include <tuple>

#include "support/diagnostics.h"

namespace burin {
namespace {

using Bytes = std::bitset<256>;
constexpr size_t kMostPositions = 1024;
constexpr int kFirstOther = 0x80, kLastOther = 0x10FFFF;

std::string utf8(int code) {
  std::string out;
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 63)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
  return out;
}

Bytes byte_range(int first, int last) {
  Bytes out;
  for (int byte = first; byte <= last; ++byte) out.set(static_cast<size_t>(byte));
  return out;
}

template <class T>
void add_to(std::vector<T>& to, const T& one) {
  if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

// Every place, with what each way of being empty asks beside it.
void add_beside(std::vector<Reached>& to, const std::vector<Reached>& places,
                const std::vector<int>& empty) {
  for (const int asked : empty) {
    for (const Reached& place : places) add_to(to, {place.position, place.asked | asked});
  }
}

constexpr bool is_word(int byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z') || byte == '_';
}

Bytes words() {
  Bytes out;
  for (int byte = 0; byte < 128; ++byte) out[static_cast<size_t>(byte)] = is_word(byte);
  return out;
}

// Whether a place is what is asked of it. `border`: between a byte of a word and another.
bool holds(int asked, bool begin, bool end, bool border) {
  return (begin || (asked & kBegin) == 0) && (end || (asked & kEnd) == 0) &&
         (border || (asked & kBorder) == 0) && (!border || (asked & kNoBorder) == 0);
}

}  // namespace

CodeClass only_code(int code) {
  CodeClass out;
  add_codes(out, code, code);
  return out;
}

void add_codes(CodeClass& to, int first, int last) {
  for (int code = first; code <= std::min(last, kFirstOther - 1); ++code)
    to.ascii.set(static_cast<size_t>(code));
  if (last >= kFirstOther) to.others.emplace_back(std::max(first, kFirstOther), last);
}

CodeClass without(CodeClass set) {
  CodeClass out;
  out.ascii = set.ascii.flip();
  out.all_others = !set.all_others && set.others.empty();
  if (set.all_others || set.others.empty()) return out;
  std::sort(set.others.begin(), set.others.end());
  int next = kFirstOther;
  for (const auto& [first, last] : set.others) {
    if (first > next) out.others.emplace_back(next, first - 1);
    next = std::max(next, last + 1);
  }
  if (next <= kLastOther) out.others.emplace_back(next, kLastOther);
  return out;
}

Part AutomatonBuilder::one(const Bytes& bytes) {
  Part out = nothing();
  const Bytes of_words = words();
  for (const Bytes& some : words_ ? std::vector<Bytes>{bytes & of_words, bytes & ~of_words}
                                  : std::vector<Bytes>{bytes}) {
    if (some.none()) continue;
    if (out_.bytes.size() == kMostPositions)
      refuse("limit", "the pattern has more than " + std::to_string(kMostPositions) + " positions");
    const Reached place = {static_cast<int>(out_.bytes.size()), 0};
    out_.bytes.push_back(some);
    out_.follow.emplace_back();
    out.first.push_back(place);
    out.last.push_back(place);
  }
  return out;
}

bool AutomatonBuilder::of_word(int position) const {
  return words_ && (out_.bytes[static_cast<size_t>(position)] & words()).any();
}

void AutomatonBuilder::connect(const std::vector<Reached>& from, const std::vector<Reached>& to) {
  for (const Reached& a : from) {
    for (const Reached& b : to) {
      const bool border = of_word(a.position) != of_word(b.position);
      if (holds(a.asked | b.asked, false, false, border))
        add_to(out_.follow[static_cast<size_t>(a.position)], b.position);
    }
  }
}

Part AutomatonBuilder::sequence(Part a, const Part& b) {
  connect(a.last, b.first);
  Part out = {std::move(a.first), b.last, {}};
  add_beside(out.first, b.first, a.empty);
  add_beside(out.last, a.last, b.empty);
  for (const int one : a.empty) {
    for (const int other : b.empty) add_to(out.empty, one | other);
  }
  return out;
}

Part AutomatonBuilder::choice(Part a, const Part& b) {
  for (const Reached& place : b.first) add_to(a.first, place);
  for (const Reached& place : b.last) add_to(a.last, place);
  for (const int asked : b.empty) add_to(a.empty, asked);
  return a;
}

Part AutomatonBuilder::one_or_more(Part part) {
  connect(part.last, part.first);
  return part;
}

// Codes beyond ASCII in a row: pieces of which the bytes are ranges, each free of the others. A
// piece ends where the first bytes change and the last ones are not all there.
Part AutomatonBuilder::range(int first, int last) {
  Part out = nothing();
  for (int begin = first, end = last; begin <= last; begin = end + 1, end = last) {
    for (const int longest : {0x7FF, 0xFFFF}) {
      if (begin <= longest) end = std::min(end, longest);
    }
    for (int tail = 6; tail <= 18; tail += 6) {
      const int free = (1 << tail) - 1;
      if ((begin & ~free) == (end & ~free)) break;
      if ((begin & free) != 0) {
        end = begin | free;
      } else if ((end & free) != free) {
        end = (end & ~free) - 1;
      }
    }
    const std::string least = utf8(begin), most = utf8(end);
    Part letter;
    for (size_t k = 0; k < least.size(); ++k)
      letter = sequence(std::move(letter), one(byte_range(static_cast<unsigned char>(least[k]),
                                                          static_cast<unsigned char>(most[k]))));
    out = choice(std::move(out), letter);
  }
  return out;
}

Part AutomatonBuilder::of_class(CodeClass set, bool fold) {
  for (size_t c = 'a'; fold && c <= 'z'; ++c) {
    const bool both = set.ascii[c] || set.ascii[c - 32];
    set.ascii[c] = set.ascii[c - 32] = both;
  }
  Part out = nothing();
  Bytes small;
  for (size_t c = 0; c < 128; ++c) small[c] = set.ascii[c];
  if (small.any()) out = choice(std::move(out), one(small));
  for (const auto& [first, last] : set.others) {
    if (!set.all_others) out = choice(std::move(out), range(first, last));
  }
  if (!set.all_others) return out;
  // Any character of two, three and four bytes.
  for (const auto& [first, last, tails] :
       {std::tuple(0xC2, 0xDF, 1), std::tuple(0xE0, 0xEF, 2), std::tuple(0xF0, 0xF4, 3)}) {
    Part letter = one(byte_range(first, last));
    for (int k = 0; k < tails; ++k)
      letter = sequence(std::move(letter), one(byte_range(0x80, 0xBF)));
    out = choice(std::move(out), letter);
  }
  return out;
}

Automaton AutomatonBuilder::take(const Part& all) {
  for (const Reached& place : all.first) {
    if (holds(place.asked, true, false, of_word(place.position)))
      add_to(out_.first, place.position);
  }
  for (const Reached& place : all.last) {
    if (holds(place.asked, false, true, of_word(place.position))) add_to(out_.last, place.position);
  }
  out_.empty = std::any_of(all.empty.begin(), all.empty.end(),
                           [](int asked) { return holds(asked, true, true, false); });
  return std::move(out_);
}

}  // namespace burin
