// One concept, one word, and it is the field's (CONTRIBUTING.md has the table). House words that
// went do not come back: neither in the names of files of generator/ nor in its headers. Words that
// are ordinary English in another sense (a turn, a step, to finish) are looked for as the
// identifiers and phrases that they were.
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "unit/support/source_files.h"

namespace burin::lint_words_test {
namespace {

// What went, and what stands there instead.
const std::vector<std::pair<std::string, std::string>>& house_words() {
  static const std::vector<std::pair<std::string, std::string>> table = {
      {"\\b[Rr]ides?\\b|[Rr]ider|ride_along|\\bcarrier\\b", "horizontally fused copies"},
      {"side_by_side|SideBySide|[Rr]ows side by side", "vectorised along the outer axis"},
      {"\\bBeside[&{ ]&?beside|struct Beside\\b|beside_tile|EvenBlocks|NarrowVersion|\\balone = "
       "false",
       "edge tiles; small-M tile; balanced remainder"},
      {"sum_steps|choose_steps|settle_steps", "accumulators"},
      {"\\bFinish\\b|_finish\\b|finished_(bytes|rows)|[Rr]ows finished|rows between",
       "row epilogue; back-to-back products"},
      {"\\b[Ss]trips?\\b|\\bkStrip\\b|bool ahead\\b|ValueId prepared\\b|prepare_factor",
       "packing; prepacked operand"},
      {"dense_?phases|[Dd]ense phases|DensePhases", "polyphase decomposition"},
      {"unit_?steps|[Uu]nit steps|UnitSteps", "versioning on unit stride"},
      {"LoopCounters|over_counters|loops::Counter", "induction variables"},
      {"row_values|[Rr]ow values|with_values_of_rows", "loop-invariant code motion"},
      {"int turns\\b|int team\\b|\\bteams?\\b", "thread coarsening; cooperative groups"},
      {"keeps_apart|std::vector<int> keep_apart|settled_at|hold_together|is_elsewhere",
       "aliasing rules"},
      {"few_queries|FewQueries", "decode attention"},
      {"near_bytes|[Ss]tays? near", "working set fits in a cache"},
      {"behind_joins?|[Bb]ehind joins|void narrow\\(|bool narrow = true",
       "push through concat; demand-driven slicing"},
      {"growth_circle|\\b[Cc]ircles?\\b|CircleForm", "recurrence; ranking function"},
      {"[Oo]nly the run (knows|determines|finds|can tell)|[Ss]izes? of the run|run_axes|RunAxes",
       "dynamic"},
      {"\\w+_halves\\b|\\b(in|as|of|to) halves\\b|Half(Plan|Use|Kernel|Weights)|half_plan", "fp16"},
      {"excess_of|\\bexcess\\.h", "regret"},
      {"\\brepeats\\.h|element_work", "recomputation cost"},
  };
  return table;
}

// Comments are wrapped where a line is full, in the middle of a phrase.
std::string in_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex("\n *// ?"), " ");
}

TEST(LintWords, PhrasesAreFoundAcrossLines) {
  EXPECT_EQ(in_one_line("// what only\n  // the run\nint x;"), "// what only the run\nint x;");
}

TEST(LintWords, HouseWordsStayAway) {
  int headers = 0;
  std::vector<std::regex> words;
  for (const auto& [word, instead] : house_words()) words.emplace_back(word);
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || file.is_in("generator/vliw") || !file.is_code()) continue;
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    const bool header = file.ends_with(".h");
    headers += header;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& instead = house_words()[i].second;
      EXPECT_FALSE(std::regex_search(name, words[i])) << file.path << ": " << instead;
      if (!header || !std::regex_search(in_one_line(file.text), words[i])) continue;
      ADD_FAILURE() << file.path << ": the field says: " << instead;
    }
  }
  EXPECT_GT(headers, 300);
}

}  // namespace
}  // namespace burin::lint_words_test
