// SPDX-License-Identifier: MIT-0
// What the network lstm is made of, as hashes: alone in a file, since they change with every model.
#ifndef LSTM_CONTENT_H
#define LSTM_CONTENT_H

// `front` and what stands for all that the tree computes.
#define LSTM_CONTENT(front) front##90960bc84fce

#endif
