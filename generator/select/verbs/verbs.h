// Verbs: what a policy chose of a kernel, as words and numbers ("tile 14 2", "threads 1 16").
//
// A schedule is a short list of them. plan.json has the list, --plan-lock gives it back, a tuning
// file replaces some of it, `burin tune` searches it, and --without leaves out what may be left
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace burin {

struct Verb {
  std::string what;              // words, as in verb_kinds()
  std::vector<int64_t> numbers;  // as many as its kind has
  bool operator==(const Verb&) const = default;
};
using Verbs = std::vector<Verb>;

// What can be said of a kernel. `least` to `most` numbers; `of` says which they are. Of one that
// begins with the number of a let there may be several, for other lets.
struct VerbKind {
  std::string_view what;
  size_t least, most;
  std::string_view of, says;
  std::string_view switch_name;  // of --without; several may share one; "": it has none
  int64_t greatest_power = 0;    // numbers are powers of two up to this, or 0; 0: any
  int64_t greatest = int64_t{1} << 24;
};
const std::vector<VerbKind>& verb_kinds();
// Of these words, with "then " in front or without; null: there is none.
const VerbKind* kind_of(std::string_view what);

// The words that a switch of --without leaves out.
std::set<std::string> words_of_switch(std::string_view name);

// "tile 14 2", and back; nullopt: nothing of a kernel is called so, or it has other numbers.
std::string to_string(const Verb& verb);
std::optional<Verb> parse_verb(const std::string& text);
// What a verb of these words has: "tile has 2 numbers: rows, vectors". Empty: there is none.
std::string form_of(const std::string& text);

// Of the second of two products without "then "; whether its first number is that of a let.
std::string_view without_then(std::string_view text);
bool is_of_let(std::string_view what);

const Verb* find_verb(const Verbs& verbs, std::string_view what);
// Of a verb of one number; of the first one.
std::optional<int> number_of(const Verbs& verbs, std::string_view what);
// Whether it is among them, with its numbers.
bool says(const Verbs& verbs, const Verb& verb);
// Whether two are of the same words and let.
bool same_place(const Verb& a, const Verb& b);
// The verb instead of the one of the same place.
void set_verb(Verbs& verbs, Verb verb);

// What a policy is told. Numbers that are given and legal it takes instead of its own; what is
// switched off, or missing in a list that is whole, it leaves out.
class Given {
 public:
  Given() = default;
  // `verbs` may be null; both outlive this.
  Given(const Verbs* verbs, bool whole, const std::set<std::string>* off)
      : verbs_(verbs), whole_(whole), off_(off) {}

  bool may(std::string_view what) const { return !is_off(what) && lists(what); }
  bool is_off(std::string_view what) const;
  // A list that is not whole has everything.
  bool lists(std::string_view what, int let = -1) const;
  // The numbers of a verb that is given; none: the policy chooses. With `let`: of that one.
  const std::vector<int64_t>* numbers(std::string_view what) const;
  bool may(std::string_view what, int let) const;
  const std::vector<int64_t>* numbers(std::string_view what, int let) const;
  // Whether the list says all of a kernel, so that what is missing has its plain value.
  bool is_whole() const { return whole_; }
  // The same for the second of two products back to back.
  Given then() const;
  // Words that are switched off, and the same with others, which outlive the result.
  std::set<std::string> off() const { return off_ == nullptr ? std::set<std::string>{} : *off_; }
  Given without(const std::set<std::string>& off) const;
  // The verbs that are given, and the same with others, which outlive the result.
  Verbs all() const { return verbs_ == nullptr ? Verbs{} : *verbs_; }
  Given with(const Verbs& verbs) const;

 private:
  const Verb* find(std::string_view what, int let) const;

  const Verbs* verbs_ = nullptr;
  bool whole_ = false;
  const std::set<std::string>* off_ = nullptr;  // words
  std::string prefix_;
};

}  // namespace burin
