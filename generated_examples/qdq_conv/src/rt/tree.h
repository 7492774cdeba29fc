// SPDX-License-Identifier: MIT-0
// The namespace of this copy of the runtime, inside burin_rt and burin_cl. Each tree has its own,
// so that no linker takes for its functions or types those of another release in another tree.
#ifndef BURIN_RT_TREE_H
#define BURIN_RT_TREE_H

#define BURIN_RT_TREE qdq_conv_rt

#endif  // BURIN_RT_TREE_H
