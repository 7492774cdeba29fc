#include "print/abbreviations.h"

#include <algorithm>

namespace burin::print {
namespace {

constexpr size_t kShortest = 24;      // characters that are worth a name
constexpr size_t kMostNames = 12;     // of a kernel
constexpr size_t kLeastText = 600;    // characters that nobody reads at a glance
constexpr size_t kMostText = 40'000;  // that are searched

size_t count_in(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

void replace_in(std::string& text, const std::string& part, const std::string& name) {
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + name.size()))
    text.replace(at, part.size(), name);
}

// What the lines lose by a name for it.
size_t saving_of(const std::vector<std::string>& lines, const std::string& part) {
  if (part.size() < kShortest) return 0;
  size_t count = 0;
  for (const std::string& line : lines) count += count_in(line, part);
  return count < 2 ? 0 : (count - 1) * part.size();
}

}  // namespace

std::vector<std::string> abbreviated(std::vector<std::string> lines,
                                     std::vector<std::string> parts) {
  size_t length = 0;
  for (const std::string& line : lines) length += line.size();
  if (length < kLeastText || length > kMostText) return lines;
  std::vector<std::string> meanings;
  const auto name_of = [](size_t number) { return "e" + std::to_string(number); };
  while (meanings.size() < kMostNames) {
    std::vector<std::string> all = lines;
    all.insert(all.end(), meanings.begin(), meanings.end());
    const std::string* best = nullptr;
    size_t most = 0;
    for (const std::string& part : parts) {
      const size_t saving = saving_of(all, part);
      if (saving > most) best = &part, most = saving;
    }
    if (best == nullptr) break;
    const std::string part = *best, name = name_of(meanings.size());
    for (std::vector<std::string>* texts : {&lines, &meanings, &parts}) {
      for (std::string& text : *texts) {
        if (text != part || texts != &parts) replace_in(text, part, name);
      }
    }
    meanings.push_back(part);
  }
  for (size_t i = 0; i < meanings.size(); ++i)
    lines.push_back("where " + name_of(i) + " is " + meanings[i]);
  return lines;
}

}  // namespace burin::print
