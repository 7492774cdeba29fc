// One concept, one word, and it is the field's (CONTRIBUTING.md has the table). House words that
// went do not come back: neither in the names of files of generator/, nor in its headers, comments
// and READMEs. Words that are ordinary English in another sense (a turn, a step, to finish) are
// looked for as the identifiers and phrases that they were.
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
      {"sum_steps|choose_steps|settle_steps|kMostSteps|\\bint steps = 1|bool steps\\b|in several "
       "steps",
       "accumulators"},
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
      {"\\w+_halves\\b|\\b(in|of|to|kept as|stored as) "
       "halves\\b|Half(Plan|Use|Kernel|Weights)|half_plan",
       "fp16"},
      {"excess_of|\\bexcess\\.h", "regret"},
      {"\\brepeats\\.h|element_work", "recomputation cost"},
      {"\\bPack(Buffer|Rule|Options|Solution)\\b|\\bpack_(by|greedy|search)\\b|(search|check)_"
       "packing\\b",
       "packing of buffers, operand packing, VLIW packets"},
      {"\\bjoins\\(|inline_(copied_)?join|find_joint|[Jj]oiner\\b|\\bJoining\\b|"
       "join_(chain|factor|graphs|launches|overwrite|positions|rows?|siblings|size|sizes|step)\\b",
       "concatenation; fusion; merged models; joint launches"},
      {"launch\\.steps", "strides; axes that the host counts"},
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

// Of a source file its comments only.
std::string comments_of(const std::string& code) {
  std::string out;
  for (size_t at = 0; at < code.size();) {
    const size_t end = std::min(code.find('\n', at), code.size());
    const std::string line = code.substr(at, end - at);
    const size_t comment = line.find("// ");
    if (comment != std::string::npos) out += line.substr(comment) + "\n";
    at = end + 1;
  }
  return out;
}

TEST(LintWords, CommentsAreFound) {
  EXPECT_EQ(comments_of("int x;\n  // one\n  // two\nint y;  // three\n"),
            "// one\n// two\n// three\n");
}

// What of a file is held to the words: a header, the comments of a source file, a README.
std::string held_text(const SourceFile& file) {
  if (file.ends_with(".h")) return in_one_line(file.text);
  if (file.ends_with(".cpp")) return in_one_line("\n" + comments_of(file.text));
  return file.text;
}

TEST(LintWords, HouseWordsStayAway) {
  int headers = 0, sources = 0, pages = 0;
  std::vector<std::regex> words;
  for (const auto& [word, instead] : house_words()) words.emplace_back(word);
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || file.is_in("generator/vliw")) continue;
    const bool page = file.ends_with("README.md");
    if (!file.is_code() && !page) continue;
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    headers += file.ends_with(".h");
    sources += file.ends_with(".cpp");
    pages += page;
    const std::string text = held_text(file);
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& instead = house_words()[i].second;
      EXPECT_FALSE(std::regex_search(name, words[i])) << file.path << ": " << instead;
      std::smatch found;
      if (std::regex_search(text, found, words[i]))
        ADD_FAILURE() << file.path << ": '" << found.str() << "'; the field says: " << instead;
    }
  }
  EXPECT_GT(headers, 300);
  EXPECT_GT(sources, 600);
  EXPECT_GT(pages, 30);
}

}  // namespace
}  // namespace burin::lint_words_test
