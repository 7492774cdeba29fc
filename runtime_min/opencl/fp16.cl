// SPDX-License-Identifier: MIT-0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
