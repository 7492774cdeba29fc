// The text of a program, which is read back: parse(to_string(p)) == p.
//
//   program "/fc/Gemm"
//   symbol batch param 1..32 @1
//   scratch 4096
//   var i0 row < batch
//   buffer x0 f32 [batch, 8] argument of 3
//   buffer y0 f32 [batch] argument of 4 written
//   buffer sum0 f32 [] local
//   {
//     for i0 in 0 .. batch {
//       alloc sum0
//       sum0[] = 0
//       for i1 in 0 .. 8 {
//         sum0[] += x0[i0, i1]
//       }
//       y0[i0] = sum0[]
//     }
//   }
//
//   for i0 in 0 .. n step 4 unrolled { ... }       if 0 <= i0 < n - 1 { ... } else { ... }
//   for i5 in 0 .. n step 16 thread to i6 { ... }  let i3 = i0*4 + i1      barrier scratch
//   for i0 in 0 .. n count q0, r1 of i0 + 3 by 7 moved by_axis step 1 { ... }   name q2 = n // 7
//   (key0, at0, taken0)[] first_max= (x0[i1], i64[i1])
//   call dot4 n=16 c: sums[i0, 0 : 1, 16], a: x0[i0, 4*i1 : 1, 4], b: panel[0, 0, 0 : 1, 16, 4]
//
// Expressions: numbers are f32 unless a type follows them (3:i64, 0.5:f64, 1:boolean); (a + b),
// exp(a), max(a, b), select(c, a, b); x0[i0] loads, x0.h[i0] keeps a half; i8(a) and i8.sat(a)
// cast, h(a) rounds to a half; i64[i0 + 1] is an index as a number; {guard: a; guard: b; else c} is
// the first whose guard holds; data in an index is {expression in lo..hi}.
#pragma once

#include <string>
#include <string_view>

#include "isa/instruction.h"
#include "loops/program.h"

namespace burin::loops {

std::string to_string(const Program& program);
// Statements of a program, indented by two blanks for each of `depth`.
std::string to_string(const Stmts& stmts, const Program& program, int depth = 0);

// Refuses as "parse" with line:column. `rows`: the instructions that calls may name.
Program parse(std::string_view text, const isa::Rows& rows);

}  // namespace burin::loops
