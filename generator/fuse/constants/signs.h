// Sums of products of signs: bits are counted, 32 products in a word.
//
//   sum over k of a * b,  a of {-m, 0, m}, b of {-w, w}
//     =  m * w * (sum over k / 32 of ones(present) - 2 * ones(present & (negative ^ other)))
//
// where `present` has the bits of a that are not 0, `negative` those below 0, `other` those of b
// below 0: a product is negative where the signs differ. Bits of one word are neighbours along a
// reduced axis that names one dimension of a's tensor: channels. A margin that adds 0 is a word
// without bits. m is one number, w one for each point of the axes that the sum runs over; both are
// multiplied with the sum. The integers are exact; the sum of floats is, too, where m and w are 1
// and it has fewer than 2^24 terms, and else within a rounding for each of its terms. A NaN counts
// as what a comparison makes of it: Sign's, and that of clipped rounding, as 1. (YFlows 4.2 and figure 9 have the form
// without zeros; XNOR-Net the scales.)
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Every sum of products of a tensor of which all numbers are signs, whatever computed them, with
// constants that are signs times scales, where its words have `least_signs` signs on average. The
// tensors of bits are values and kernels of their own.
KernelGraph with_sign_products(KernelGraph graph, int64_t least_signs);

}  // namespace burin
