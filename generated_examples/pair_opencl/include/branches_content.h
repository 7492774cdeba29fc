// SPDX-License-Identifier: MIT-0
// What the network branches is made of, as hashes: alone in a file, since they change with every model.
#ifndef BRANCHES_CONTENT_H
#define BRANCHES_CONTENT_H

// `front` and what stands for all that the tree computes.
#define BRANCHES_CONTENT(front) front##6a3b4a5536bf

#endif
