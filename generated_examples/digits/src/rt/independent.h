// SPDX-License-Identifier: MIT-0
// What compilers are told of a loop in front of it: no point touches what another one writes, so
// that any order, and vectors, would do. clang finds that out at run time.
#ifndef BURIN_RT_INDEPENDENT_H
#define BURIN_RT_INDEPENDENT_H

#if defined(__GNUC__) && !defined(__clang__)
#define BURIN_RT_INDEPENDENT _Pragma("GCC ivdep")
#else
#define BURIN_RT_INDEPENDENT
#endif

#endif  // BURIN_RT_INDEPENDENT_H
