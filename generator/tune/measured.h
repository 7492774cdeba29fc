// FILE.measured: what was measured, a line each, so that a search which was interrupted goes on.
//
//   search 0a1b2c3d4e5f6071      of what, until the next such line
//   3 5 0 2 812.4 0a1b..=98.1    places of the chosen values, by gene, microseconds, and those of
//                                parts that were timed
//
// Times of one search are no times of another, so the key is of everything that they depend on and
// burin knows: the untuned tree, the choices, the description, the runner's command. Only times
// are kept: what failed may have failed for the moment. A later line replaces an earlier one.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tune/genetic.h"

namespace burin {

class MeasuredFile {
 public:
  // Reads what is there of this search. Refused with file and line: a line of it that is none (a
  // last one that was not ended is dropped), and a file that cannot be written.
  MeasuredFile(const std::string& path, const std::string& key, const std::vector<Gene>& genes);

  const std::map<Genes, CandidateCost>& known() const { return known_; }
  void add(const Genes& genes, const CandidateCost& cost);

 private:
  void read(const std::string& key, const std::vector<Gene>& genes);
  [[noreturn]] void refuse_line(int number, const std::string& line, size_t genes) const;

  std::string path_;
  std::map<Genes, CandidateCost> known_;
  std::ofstream out_;
};

}  // namespace burin
