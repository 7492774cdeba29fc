#pragma OPENCL EXTENSION cl_khr_fp16 : enable
