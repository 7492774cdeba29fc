#include "tune/measured.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>

#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr std::string_view kHeader = "search ";

// A whole word that is a time; nothing where it is none.
std::optional<double> time_of(std::string_view word) {
  double us = 0;
  const auto end = std::from_chars(word.data(), word.data() + word.size(), us);
  const bool whole = end.ec == std::errc() && end.ptr == word.data() + word.size();
  return whole && std::isfinite(us) && us > 0 ? std::optional(us) : std::nullopt;
}

// One whole line; nothing where it is none.
std::optional<std::pair<Genes, CandidateCost>> parse(const std::string& line,
                                                     const std::vector<Gene>& genes) {
  std::istringstream words(line);
  std::pair<Genes, CandidateCost> out;
  for (const Gene& gene : genes) {
    std::string word;
    size_t place = 0;
    if (!(words >> word)) return std::nullopt;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), place);
    if (end.ec != std::errc() || end.ptr != word.data() + word.size() ||
        place >= gene.values.size())
      return std::nullopt;
    out.first.push_back(place);
  }
  std::string word;
  if (!(words >> word)) return std::nullopt;
  const std::optional<double> whole = time_of(word);
  if (!whole) return std::nullopt;
  out.second.whole = *whole;
  while (words >> word) {
    const size_t equals = std::min(word.find('='), word.size() - 1);
    const std::optional<double> part = time_of(std::string_view(word).substr(equals + 1));
    if (!part) return std::nullopt;
    out.second.parts[word.substr(0, equals)] = *part;
  }
  return out;
}

}  // namespace

MeasuredFile::MeasuredFile(const std::string& path, const std::string& key,
                           const std::vector<Gene>& genes)
    : path_(path) {
  read(key, genes);
  out_.open(path_, std::ios::app | std::ios::binary);
  out_ << kHeader << key << "\n" << std::flush;
  if (!out_) refuse("io", "cannot write " + burin::quoted(path_));
}

void MeasuredFile::add(const Genes& genes, const CandidateCost& cost) {
  for (const size_t gene : genes) out_ << gene << " ";
  out_ << cost.whole;
  for (const auto& [part, us] : cost.parts) out_ << " " << part << "=" << us;
  out_ << "\n" << std::flush;
  if (!out_) refuse("io", "cannot write " + burin::quoted(path_));
}

void MeasuredFile::read(const std::string& key, const std::vector<Gene>& genes) {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  bool of_this = false;
  uintmax_t whole = 0;
  for (int number = 1; std::getline(in, line); ++number) {
    if (in.eof()) {  // the program was ended within it
      in.close();
      std::error_code failed;
      std::filesystem::resize_file(path_, whole, failed);
      if (failed) refuse("io", "cannot write " + burin::quoted(path_));
      return;
    }
    whole += line.size() + 1;
    if (line.starts_with(kHeader)) {
      of_this = line.substr(kHeader.size()) == key;
    } else if (line.starts_with("choices ")) {  // of a burin that did not know of what they are
      of_this = false;
    } else if (of_this) {
      const auto one = parse(line, genes);
      if (!one) refuse_line(number, line, genes.size());
      known_[one->first] = one->second;
    }
  }
}

void MeasuredFile::refuse_line(int number, const std::string& line, size_t genes) const {
  located({.file = path_, .line = std::to_string(number)}, [&] {
    refuse("damaged-measurements",
           "expected the places of " + std::to_string(genes) + " choices and times, found " +
               burin::quoted(line),
           "remove the line");
  });
  __builtin_unreachable();
}

}  // namespace burin
