// SPDX-License-Identifier: MIT-0
// The sums of a tile as a function of their own, written where they are used: what is around them
// takes none of its registers.
#ifndef BURIN_RT_OUTLINED_H
#define BURIN_RT_OUTLINED_H

#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class Element, class Function>
BURIN_RT_APART void outlined(Element* __restrict array, const Function& function) {
  function(array);
}
template <class Function>
BURIN_RT_APART void outlined(const Function& function) {
  function();
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_OUTLINED_H
