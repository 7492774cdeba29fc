// What work on indices may spend on proofs and on recombining terms, in nodes looked at.
//
// Simplifying takes proofs, proofs build indices, and building simplifies: without a limit, each
// quotient inside a quotient multiplies the work. The outermost account of a thread counts: an
// operation on indices opens one for itself, and whoever does many of them for one purpose opens a
// larger one around all of them. Operators have no place for an argument that would carry it. What
// is made once it is empty is right but less simple, and marked as hard; nobody tries with it again.
#pragma once

#include <cstdint>

namespace burin {

class Effort {
 public:
  explicit Effort(int64_t nodes);
  ~Effort();
  Effort(const Effort&) = delete;
  Effort& operator=(const Effort&) = delete;
  // Whether that much was left; nothing is left afterwards where it was not.
  static bool spend(int64_t nodes);
  static bool spent();
  // Throws IndexLimit where nothing is left: for whoever would rather do without than with less.
  static void check();

 private:
  bool outermost_;
};

inline constexpr int64_t kEffort = 20'000;  // of one operation or proof
inline constexpr int64_t kEffortOfBounds = 5 * kEffort;  // of a bound, which is made of many

}  // namespace burin
