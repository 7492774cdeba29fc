#include "vliw/liveness.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

RegisterSet everything() {
  RegisterSet all;
  for (int r = 0; r < kRegisterCount; ++r) all.add(r);
  return all;
}

// Results r0-r5 and v0-v3, r16-r31, and all state that is not a plain scratch register.
RegisterSet read_by_convention() {
  RegisterSet all = everything();
  for (int r = 6; r <= 15; ++r) all.remove(kScalar + r);
  all.remove(kScalar + 28);
  for (int v = 4; v < 32; ++v) all.remove(kVector + v);
  for (int p = 0; p < 4; ++p) {
    all.remove(kPredicate + p);
    all.remove(kVectorPredicate + p);
  }
  for (const int r : {kLoopCount0, kLoopStart0, kLoopCount1, kLoopStart1, kLoopConfig})
    all.remove(r);
  return all;
}

// A block as a step backwards: live before = reads | (live after - writes).
struct Step {
  RegisterSet reads, writes;
  std::vector<size_t> targets;  // segments that control may go to beside the next one
  bool falls_through = true;
};

bool returns(const Instruction& i) {
  const std::string text = i.text();
  return text.find("dealloc_return") != std::string::npos ||
         (text.find("jumpr") != std::string::npos && text.find("r31") != std::string::npos);
}

// What stands between packets and is neither code nor a way elsewhere. All else may be: a call of a
// macro, an instruction as a number, an included file, another section, an assembler's .if.
bool is_inert(const Item& item) {
  if (item.kind != Item::Kind::kDirective) return item.kind == Item::Kind::kLabel;
  const std::string_view text = item.text;
  const size_t at = text.find_first_not_of(" \t");
  if (at == std::string_view::npos || text.substr(at, 2) == "//") return true;
  if (text.find(';') != std::string_view::npos) return false;  // another statement
  if (text.substr(at, 5) == ".cfi_") return true;
  static constexpr std::string_view kInert[] = {
      ".p2align", ".align",    ".balign",  ".falign",     ".loc",    ".file",
      ".ident",   ".size",     ".type",    ".globl",      ".global", ".local",
      ".weak",    ".hidden",   ".set",     ".equ",        ".comm",   ".protected",
      ".lcomm",   ".internal", ".addrsig", ".addrsig_sym"};
  const std::string_view word = text.substr(at, text.find_first_of(" \t", at) - at);
  return std::find(std::begin(kInert), std::end(kInert), word) != std::end(kInert);
}

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

void add_words(std::string_view text, std::set<std::string>& words) {
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t from = at;
    while (at < text.size() && in_name(text[at])) ++at;
    if (at > from) words.emplace(text.substr(from, at - from));
  }
}

// Labels whose address is taken: words of directives (tables of jumps) and of operands that are
// neither the target of a jump nor the start of a loop. Control may enter there from anywhere.
std::set<std::string> addresses_taken(const Program& program) {
  std::set<std::string> words;
  for (const Segment& segment : program.segments) {
    if (!segment.is_block) {
      if (segment.text.kind == Item::Kind::kDirective) add_words(segment.text.text, words);
      continue;
    }
    for (const Unit& unit : segment.block.units) {
      for (const Instruction& i : unit.instructions) {
        if (i.unknown()) add_words(i.text(), words);
        for (const Operand& operand : i.operands) {
          const bool direct =
              !i.unknown() && operand.kind == '@' && i.form->is(kJump | kLoop0 | kLoop1);
          if (!direct) add_words(operand.text, words);
        }
      }
    }
  }
  return words;
}

// A label that only jumps and loops of this file name.
bool is_private(const std::string& label, const std::set<std::string>& taken) {
  return label.rfind(".L", 0) == 0 && std::all_of(label.begin(), label.end(), in_name) &&
         taken.count(label) == 0;
}

// Labels that a loop's end may go back to: those of the set-ups that reach it. kOutside: one that
// was not set up in this file.
using Starts = std::vector<size_t>;  // few, each once
constexpr size_t kOutside = static_cast<size_t>(-1);

class Flow {
 public:
  Flow(const Program& program, AtReturn at_return)
      : program_(program),
        returned_(at_return == AtReturn::kConvention ? read_by_convention() : everything()) {
    for (size_t s = 0; s < program.segments.size(); ++s) {
      const Segment& segment = program.segments[s];
      if (!segment.is_block && segment.text.kind == Item::Kind::kLabel)
        labels_[segment.text.text] = s;
    }
  }

  std::vector<RegisterSet> run() {
    const size_t n = program_.segments.size();
    std::vector<Step> steps(n);
    for (size_t s = 0; s < n; ++s) {
      if (program_.segments[s].is_block)
        steps[s] = step_of(program_.segments[s].block);
      else if (!is_inert(program_.segments[s].text))
        steps[s].reads = everything();
    }
    const std::set<std::string> taken = addresses_taken(program_);
    close_loops(steps, kLoop0, taken);
    close_loops(steps, kLoop1, taken);
    std::vector<RegisterSet> live(n + 1);
    live[n] = everything();
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t s = n; s-- > 0;) {
        RegisterSet after;
        if (steps[s].falls_through) after = live[s + 1];
        for (const size_t t : steps[s].targets) after |= live[t];
        const RegisterSet before = steps[s].reads | (after - steps[s].writes);
        changed = changed || !(before == live[s]);
        live[s] = before;
      }
    }
    return live;
  }

 private:
  // Follows loop set-ups forwards and gives every end of a loop its targets.
  void close_loops(std::vector<Step>& steps, Trait level,
                   const std::set<std::string>& taken) const {
    const size_t n = steps.size();
    std::vector<Starts> before(n + 1);
    std::vector<std::optional<size_t>> starts(n);
    for (size_t s = 0; s < n; ++s) {
      const Segment& segment = program_.segments[s];
      const bool label = !segment.is_block && segment.text.kind == Item::Kind::kLabel;
      if (s == 0 || (label && !is_private(segment.text.text, taken))) before[s] = {kOutside};
      if (segment.is_block)
        starts[s] = start_after(segment.block, level);
      else if (!is_inert(segment.text))
        starts[s] = kOutside;
    }
    std::vector<Starts> ends(n);
    const auto pass = [&](size_t to, const Starts& from, bool& changed) {
      for (const size_t label : from) {
        if (std::find(before[to].begin(), before[to].end(), label) != before[to].end()) continue;
        before[to].push_back(label);
        changed = true;
      }
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t s = 0; s < n; ++s) {
        const Starts after = starts[s] ? Starts{*starts[s]} : before[s];
        if (steps[s].falls_through) pass(s + 1, after, changed);
        for (const size_t t : steps[s].targets) pass(t, after, changed);
        const Block& block = program_.segments[s].block;
        if (!(level == kLoop0 ? block.end_loop0 : block.end_loop1)) continue;
        ends[s] = after;
        for (const size_t t : after) {
          if (t != kOutside) pass(t, after, changed);
        }
      }
    }
    for (size_t s = 0; s < n; ++s) {
      const Block& block = program_.segments[s].block;
      if (!(level == kLoop0 ? block.end_loop0 : block.end_loop1)) continue;
      RegisterSet reads = registers_of_list(level == kLoop0 ? "lc0 sa0" : "lc1 sa1");
      // Entered in a way that is not seen here.
      if (ends[s].empty()) reads = everything();
      for (const size_t t : ends[s]) {
        if (t == kOutside)
          reads = everything();
        else
          steps[s].targets.push_back(t);
      }
      steps[s].reads |= reads - steps[s].writes;
    }
  }

  // What the block leaves as the start of its loop; nothing: what was there.
  std::optional<size_t> start_after(const Block& block, Trait level) const {
    std::optional<size_t> start;
    for (const Unit& unit : block.units) {
      for (const Instruction& i : unit.instructions) {
        const bool sets = !i.unknown() && i.form->is(level);
        const bool writes = i.unknown() || i.form->is(kCall) ||
                            effects_of(i).writes.has(level == kLoop0 ? kLoopStart0 : kLoopStart1);
        if (!sets && !writes) continue;
        start = kOutside;
        if (!sets) continue;
        const auto at = labels_.find(i.operands[0].text);
        if (at != labels_.end()) start = at->second;
      }
    }
    return start;
  }

  // Changes of flow are the last units of a block, so all its writes come before control leaves.
  Step step_of(const Block& block) const {
    Step step;
    for (const Unit& unit : block.units) {
      RegisterSet reads, writes;
      for (const Instruction& i : unit.instructions) {
        const Effects e = effects_of(i);
        reads |= e.reads | e.new_reads;
        if (!e.conditional) writes |= e.writes;
        if (i.unknown() || i.form->is(kCall | kSystem)) reads = everything();
        if (!i.unknown() && i.form->is(kJump)) reads |= jump(i, step);
      }
      step.reads |= reads - step.writes;
      step.writes |= writes;
    }
    return step;
  }

  // Notes where the jump goes; what it reads there if that is outside the file.
  RegisterSet jump(const Instruction& i, Step& step) const {
    if (i.form->key.find("if(") == std::string::npos &&
        i.form->key.find("if (") == std::string::npos)
      step.falls_through = false;
    for (const Operand& operand : i.operands) {
      if (operand.kind != '@') continue;
      const auto at = labels_.find(operand.text);
      if (at == labels_.end()) return everything();
      step.targets.push_back(at->second);
      return {};
    }
    return returns(i) ? returned_ : everything();
  }

  const Program& program_;
  RegisterSet returned_;
  std::map<std::string, size_t> labels_;
};

}  // namespace

std::vector<RegisterSet> live_at(const Program& program, AtReturn at_return) {
  return Flow(program, at_return).run();
}

}  // namespace burin::vliw
