// SPDX-License-Identifier: MIT-0
// What the network softmax is made of, as hashes: alone in a file, since they change with every model.
#ifndef SOFTMAX_CONTENT_H
#define SOFTMAX_CONTENT_H

// `front` and what stands for all that the tree computes.
#define SOFTMAX_CONTENT(front) front##6a3b4a5536bf

#endif
