// SPDX-License-Identifier: MIT-0
// Texels by their place; beyond an image they are 0.
__constant sampler_t burin_texels =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
static float burin_component(float4 texel, int component) {
  if (component < 2) return component == 0 ? texel.s0 : texel.s1;
  return component == 2 ? texel.s2 : texel.s3;
}
