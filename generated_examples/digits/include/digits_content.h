// SPDX-License-Identifier: MIT-0
// What the network digits is made of, as hashes: alone in a file, since they change with every model.
#ifndef DIGITS_CONTENT_H
#define DIGITS_CONTENT_H

// `front` and what stands for all that the tree computes.
#define DIGITS_CONTENT(front) front##1d699a483712

// CRC-32 of the weights, then of what is in front of them in their file.
#define DIGITS_WEIGHTS_CRC 441238756u

#endif
