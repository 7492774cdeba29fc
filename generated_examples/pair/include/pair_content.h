// SPDX-License-Identifier: MIT-0
// What the network pair is made of, as hashes: alone in a file, since they change with every model.
#ifndef PAIR_CONTENT_H
#define PAIR_CONTENT_H

// `front` and what stands for all that the tree computes.
#define PAIR_CONTENT(front) front##191035265878

#endif
