// How far a tensor is from the one that was expected, and whether that is close enough: the one
// table of tolerances that `burin verify` and the tests use.
#pragma once

#include <cstdint>
#include <string>

#include "kernel/symbolic/roundings.h"
#include "kernel/tensor.h"

namespace burin {

// A float agrees when |got - wanted| <= absolute + relative * max|wanted|, the maximum taken over
// the finite elements of the tensor; of the absolute part at most half of that maximum counts, so
// that zeros never agree with numbers. Integers agree within the absolute part, which is 0 but for
// bytes that a network rounds to on the way; no more than one of a tensor's, and `share` of them,
// may use it.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double share = 1;
};

// Of so many integers the most that may be off.
int64_t most_off(double share, int64_t elements);

// For results of an ordinary network of this element type: room for another order of summation and
// for math functions that differ in their last bits. What is rounded once at most leaves no room.
Tolerance default_tolerance(Type type, Roundings roundings = Roundings::many);

// What elements may be off where the largest magnitude that is expected is `largest`.
double allowed_difference(Tolerance tolerance, double largest);

struct Difference {
  double absolute = 0;    // largest |got - wanted| of finite elements
  double relative = 0;    // `absolute` / max|wanted|
  int64_t ulps = 0;       // largest number of representable values between the two
  int64_t elements = 0;   // compared
  int64_t different = 0;  // outside the tolerance
  int64_t worst = -1;     // element number of the largest difference
  // Of the elements that are numbers in both.
  double root_mean_square = 0;  // of got - wanted
  double cosine = 1;            // of the angle between both; 1 where both are zero
  // Rows along the last dimension, of tensors of several in it, and those of which the greatest
  // element is at the same place: what a classifier answers.
  int64_t rows = 0, same_greatest = 0;
  std::string mismatch;  // another type or shape; then nothing is compared
  bool agrees() const { return mismatch.empty() && different == 0; }
};

// NaN agrees with NaN, and an infinity with itself.
Difference compare(const HostTensor& got, const HostTensor& wanted, Tolerance tolerance);
inline Difference compare(const HostTensor& got, const HostTensor& wanted) {
  return compare(got, wanted, default_tolerance(wanted.type));
}

// "max abs 1.2e-07, rel 3.0e-08, 2 ulp" or "3 of 60 elements differ, max abs ... at element 17".
std::string to_string(const Difference& difference);
// "rms 1.2e-08, cosine 1, top-1 the same in 64 of 64 rows".
std::string likeness_text(const Difference& difference);

}  // namespace burin
