// The judge of pipelined loops.
//
// The original enters its body B with n trips; the packed text runs prologue P, kernel K and
// epilogue E. Let t be the stages and u the iterations per kernel. On symbols that stand for any
// state it is shown that
//   step: K after P does what P after B^u does, to memory and to all that may be read where K or E
//         starts;
//   end:  E after P does what B^(u (t - 1)) does, to memory and to all that is read behind the
//   loop.
// By the step, k kernels behind P leave what P leaves behind B^(u k); with the end, E behind P and
// m kernels leaves what B^(u (m + t - 1)) leaves. The kernel runs m = n / u - t + 1 times: the
// counts of both set-ups are compared as values. So all n trips are done, for every n. A peeled
// iteration is B itself, done for odd n. Both equations also compare what is loaded: each load of
// the packed text must be one of the original's, so none is speculative.
//
// Guards lead to a copy of the original loop, which is compared as a body with the same set-up.
// What they compare is found again as values: n >= u t, and for two pointers that they are more
// than a window apart (a - b + window > 2 window without sign). A distance that B does not change
// stays; one that B changes by at most 2^k is at least (n + 1 + room) 2^k at the start (n is
// positive as a signed number, so n + room does not wrap), hence more than room 2^k >= window in
// all n iterations.
#pragma once

#include "vliw/checker/checker.h"
#include "vliw/checker/pipelined_parts.h"
#include "vliw/checker/reads.h"

namespace burin::vliw {

struct PipelinedJudge {
  const Machine& machine;
  const Reads& original_reads;
  const Reads& packed_reads;
  const Names& packed_names;
};

// An empty answer means equal, up to the parts' tails, which are not compared here.
std::vector<Violation> judge_pipelined(const PipelinedJudge& judge, const PipelinedClaim& claim,
                                       const PipelinedParts& parts);

}  // namespace burin::vliw
