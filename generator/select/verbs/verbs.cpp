#include "select/verbs/verbs.h"

#include <algorithm>
#include <charconv>

namespace burin {
namespace {

constexpr std::string_view kThen = "then ";  // of the second of two products
constexpr size_t kList = 16;                 // numbers of what may be any number
constexpr std::string_view kOfLet = "let,";  // how `of` begins

}  // namespace

const std::vector<VerbKind>& verb_kinds() {
  static const std::vector<VerbKind> kinds = {
      // Products.
      {"tile", 2, 2, "rows, vectors", "sums stay in registers across the depth (keep)", "tiles"},
      {"accumulators", 1, 1, "accumulators of an element, at most",
       "points of the depth are summed apart", "accumulators"},
      {"specialise rows", 1, kList, "rows of edge tiles", "versions by rows that are left",
       "versions"},
      {"specialise columns", 2, kList, "vectors, blocks of rows; of each edge tile",
       "versions by columns that are left", "versions"},
      {"balance", 2, 2, "rows, most rows", "two equal blocks where a tile would leave few rows",
       "versions"},
      {"window", 0, 1, "rows of results of a band", "the operand is staged once for all taps",
       "windows"},
      {"winograd", 3, 3, "results of a tile along an axis, rows of tiles of a band, 1: by points",
       "tiles of a convolution by fewer products (Winograd's minimal filtering)", "winograd"},
      {"met taps", 1, 1, "stripes of the plane",
       "blocks of columns skip taps that none of them meets", "met-taps"},
      {"prefetch", 1, 1, "bytes", "panels of constants are asked for so far ahead", "prefetch"},
      {"unpacked", 0, 0, "", "whole blocks of columns are read where they lie", "unpacked"},
      {"unpacked rows", 0, 0, "", "rows are read where they lie", "unpacked"},
      {"compact", 0, 0, "", "constants stay as small as they are stored, and become floats here",
       "compact"},
      {"plane rows", 2, 2, "rows of results, lanes", "a tile has neighbouring rows of a window",
       "plane-tiles"},
      {"block rows", 1, 1, "rows", "so many rows pass all columns before the next ones do",
       "row-blocks"},
      {"back to back", 1, 1, "rows of a block", "a second product reads rows as they are made",
       "back-to-back-tiles"},
      {"row epilogue", 0, 0, "", "what follows whole rows runs in the product's kernel", ""},
      {"instruction", 2, 3, "rows, vectors, and of a unit for matrices groups in a step",
       "sums of bytes are made by a row of isa/", "instructions"},
      {"bytes", 0, 0, "", "functions, folds and sums of bytes in vectors of them", "byte-vectors"},
      // Attention.
      {"tile scores", 2, 2, "keys, vectors of queries", "a tile of scores", "attention-tiles"},
      {"tile values", 1, 1, "elements", "rows of the tile of results", ""},
      {"block keys", 1, 1, "keys", "so many keys at a time around the running softmax", ""},
      {"decode", 3, 3, "most queries, rows, vectors", "few queries read K and V as they lie",
       "versions"},
      {"decode alone", 3, 3, "most queries, rows, vectors", "no tiles: queries are so few, or go one by one",
       "attention-tiles"},
      // Other loops.
      {"tile sums", 3, 3, "let, rows, vectors", "a sum inside other loops in a register tile",
       "sum-tiles"},
      {"outer", 2, 2, "axis, points of a block", "rows are vectorised along the outer axis",
       "outer-axis"},
      {"keep row", 0, 0, "", "functions of elements that a row needs twice are kept for it",
       "kept-rows"},
      {"lanes", 3, 3, "let, lanes, points of a block", "a reduction in partial results", "lanes"},
      {"prefetch sums", 2, 2, "let, bytes", "panels of a sum are asked for so far ahead",
       "prefetch"},
      {"unit stride", 0, 0, "", "a version for operands that are not broadcast", "versions"},
      {"threads", 2, 4, "axis, points of a part; of a second axis alike",
       "threads share the kernel", "threads", 0, int64_t{1} << 40},
      // Launches of a device.
      {"work-group", 1, 1, "work-items", "of a work-group", ""},
      {"group rows", 1, 1, "work-items", "of a work-group along the second dimension", "", 4096},
      {"group tile", 6, 6, "rows, columns, rows and columns of an item, depth, parts of the depth",
       "the tile of a work-group", ""},
      {"unroll", 1, 1, "rounds", "innermost loops are written out", "", 64},
      {"vector", 1, 1, "points", "neighbouring points of a work-item, side by side", "", 16},
      {"points", 1, 1, "points", "points of a work-item, one after the other", "", 16},
      {"images", 1, 1, "0 or 1", "what it writes lies in images", "", 1},
      {"constants", 1, 1, "0 or 1", "constants that it reads lie in images", "", 1},
  };
  return kinds;
}

std::string_view without_then(std::string_view text) {
  return text.substr(text.starts_with(kThen) ? kThen.size() : 0);
}

const VerbKind* kind_of(std::string_view what) {
  const auto found =
      std::find_if(verb_kinds().begin(), verb_kinds().end(),
                   [&](const VerbKind& kind) { return kind.what == without_then(what); });
  return found == verb_kinds().end() ? nullptr : &*found;
}

bool is_of_let(std::string_view what) {
  const VerbKind* const kind = kind_of(what);
  return kind != nullptr && kind->of.starts_with(kOfLet);
}

std::string form_of(const std::string& text) {
  const VerbKind* found = nullptr;
  for (const VerbKind& kind : verb_kinds()) {
    if (without_then(text).starts_with(kind.what) &&
        (found == nullptr || kind.what.size() > found->what.size()))
      found = &kind;
  }
  if (found == nullptr) return "";
  const std::string most = std::to_string(found->most), least = std::to_string(found->least);
  std::string out = std::string(found->what) + " has ";
  if (found->most == 0) return out + "no numbers";
  out += (found->least == found->most ? most : least + " to " + most) +
         (found->most == 1 ? " number: " : " numbers: ") + std::string(found->of);
  if (found->greatest_power > 1)
    out += ", a power of two up to " + std::to_string(found->greatest_power) + ", or 0";
  return out;
}

std::set<std::string> words_of_switch(std::string_view name) {
  std::set<std::string> out;
  for (const VerbKind& kind : verb_kinds()) {
    if (!name.empty() && kind.switch_name == name) out.emplace(kind.what);
  }
  return out;
}

std::string to_string(const Verb& verb) {
  std::string out = verb.what;
  for (const int64_t number : verb.numbers) out += " " + std::to_string(number);
  return out;
}

std::optional<Verb> parse_verb(const std::string& text) {
  constexpr size_t kMostText = 256;
  if (text.size() > kMostText) return std::nullopt;
  const bool then = text.starts_with(kThen);
  const std::string_view own = without_then(text);
  for (const VerbKind& kind : verb_kinds()) {
    if (!own.starts_with(kind.what)) continue;
    Verb out{(then ? std::string(kThen) : std::string()) + std::string(kind.what), {}};
    const char* at = own.data() + kind.what.size();
    const char* const end = own.data() + own.size();
    bool good = true;
    while (good && at != end) {
      int64_t number = 0;
      if (*at != ' ') break;
      const auto read = std::from_chars(at + 1, end, number);
      good = read.ec == std::errc() && number >= 0 && number <= kind.greatest &&
             (kind.greatest_power == 0 ||
              (number <= kind.greatest_power && (number & (number - 1)) == 0));
      at = read.ptr;
      out.numbers.push_back(number);
    }
    // Another verb may begin with the same words.
    if (good && at == end && out.numbers.size() >= kind.least && out.numbers.size() <= kind.most)
      return out;
  }
  return std::nullopt;
}

const Verb* find_verb(const Verbs& verbs, std::string_view what) {
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [&](const Verb& one) { return one.what == what; });
  return found == verbs.end() ? nullptr : &*found;
}

std::optional<int> number_of(const Verbs& verbs, std::string_view what) {
  const Verb* const found = find_verb(verbs, what);
  if (found == nullptr || found->numbers.empty()) return std::nullopt;
  return static_cast<int>(found->numbers[0]);
}

bool says(const Verbs& verbs, const Verb& verb) {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

bool same_place(const Verb& a, const Verb& b) {
  return a.what == b.what && (!is_of_let(a.what) || a.numbers[0] == b.numbers[0]);
}

void set_verb(Verbs& verbs, Verb verb) {
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const Verb& one) { return same_place(one, verb); });
  if (found == verbs.end())
    verbs.push_back(std::move(verb));
  else
    *found = std::move(verb);
}

// `let` -1: whichever.
const Verb* Given::find(std::string_view what, int let) const {
  if (verbs_ == nullptr) return nullptr;
  const std::string name = prefix_ + std::string(what);
  const auto found = std::find_if(verbs_->begin(), verbs_->end(), [&](const Verb& one) {
    return one.what == name && (let < 0 || (!one.numbers.empty() && one.numbers[0] == let));
  });
  return found == verbs_->end() ? nullptr : &*found;
}

bool Given::is_off(std::string_view what) const {
  return off_ != nullptr && off_->contains(std::string(what));
}

bool Given::lists(std::string_view what, int let) const {
  return !whole_ || find(what, let) != nullptr;
}

bool Given::may(std::string_view what, int let) const { return !is_off(what) && lists(what, let); }

const std::vector<int64_t>* Given::numbers(std::string_view what) const {
  return numbers(what, -1);
}

const std::vector<int64_t>* Given::numbers(std::string_view what, int let) const {
  const Verb* const found = find(what, let);
  return found == nullptr || !may(what, let) ? nullptr : &found->numbers;
}

Given Given::without(const std::set<std::string>& off) const {
  Given out = *this;
  out.off_ = &off;
  return out;
}

Given Given::with(const Verbs& verbs) const {
  Given out = *this;
  out.verbs_ = &verbs;
  return out;
}

Given Given::then() const {
  Given out = *this;
  out.prefix_ = kThen;
  return out;
}

}  // namespace burin
