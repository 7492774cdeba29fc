#include "select/bytes/lanes_of_line.h"

#include <algorithm>

#include "isa/byte_rows.h"
#include "support/at.h"

namespace burin {
namespace {

class LanesApart {
 public:
  LanesApart(FixedLine& line, int64_t lanes, int64_t step)
      : line_(line),
        lanes_(lanes),
        step_(step),
        outers_(static_cast<int64_t>(line.parts.size()) / line.size / lanes) {}

  std::optional<LanesOfLine> run() {
    out_.start = take(0);
    for (const FixedLine::Stage& stage : line_.stages) {
      const bool limits = stage.operand < 0;
      out_.stages.push_back(limits ? -1 : take(stage.part));
      if (limits && (differs(stage.part) || differs(stage.part + 1))) return std::nullopt;
    }
    // How far is near may be the greatest of them; the rest may not differ.
    for (int part = line_.near + 1; part < line_.size; ++part) {
      if (differs(part)) return std::nullopt;
    }
    out_.parts = static_cast<int64_t>(own_.size());
    out_.blocks = (lanes_ + step_ - 1) / step_;
    for (int64_t outer = 0; outer < outers_; ++outer) {
      for (int64_t block = 0; block < out_.blocks; ++block) add_block(outer, block * step_);
    }
    std::vector<int32_t> common;
    for (int64_t outer = 0; outer < outers_; ++outer) {
      int32_t near = 0;
      for (int64_t lane = 0; lane < lanes_; ++lane)
        near = std::max(near, number(outer, lane, line_.near));
      for (int part = 0; part < line_.size; ++part)
        common.push_back(part == line_.near ? near : number(outer, 0, part));
    }
    line_.parts = std::move(common);
    return out_;
  }

 private:
  int32_t number(int64_t outer, int64_t lane, int part) const {
    return line_.parts[at((outer * lanes_ + lane) * line_.size + part)];
  }
  bool differs(int part) const {
    for (int64_t outer = 0; outer < outers_; ++outer) {
      for (int64_t lane = 1; lane < lanes_; ++lane) {
        if (number(outer, lane, part) != number(outer, 0, part)) return true;
      }
    }
    return false;
  }
  int take(int part) {
    if (!differs(part)) return -1;
    own_.push_back(part);
    return static_cast<int>(own_.size()) - 1;
  }
  // Lane j of vector q is of byte 4 j + q.
  void add_block(int64_t outer, int64_t first) {
    for (const int part : own_) {
      for (int64_t q = 0; q < isa::kByteVectors; ++q) {
        for (int64_t j = 0; j < isa::kByteLanes; ++j) {
          const int64_t lane = std::min(first + j * isa::kByteVectors + q, lanes_ - 1);
          out_.numbers.push_back(number(outer, lane, part));
        }
      }
    }
  }

  FixedLine& line_;
  const int64_t lanes_, step_, outers_;
  std::vector<int> own_;  // parts that lanes have
  LanesOfLine out_;
};

}  // namespace

std::optional<LanesOfLine> lanes_apart(FixedLine& line, int64_t lanes, int64_t step) {
  return LanesApart(line, lanes, step).run();
}

}  // namespace burin
