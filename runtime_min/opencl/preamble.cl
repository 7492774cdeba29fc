// SPDX-License-Identifier: MIT-0
// Nothing is contracted: a product is rounded before it is added.
#pragma OPENCL FP_CONTRACT OFF
