// SPDX-License-Identifier: MIT-0
// What the network softmax_sym is made of, as hashes: alone in a file, since they change with every model.
#ifndef SOFTMAX_SYM_CONTENT_H
#define SOFTMAX_SYM_CONTENT_H

// `front` and what stands for all that the tree computes.
#define SOFTMAX_SYM_CONTENT(front) front##13decfa74b19

#endif
