// SPDX-License-Identifier: MIT-0
// What the network qdq_conv is made of, as hashes: alone in a file, since they change with every model.
#ifndef QDQ_CONV_CONTENT_H
#define QDQ_CONV_CONTENT_H

// `front` and what stands for all that the tree computes.
#define QDQ_CONV_CONTENT(front) front##3bd1e1b0a042

#endif
