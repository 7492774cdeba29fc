// SPDX-License-Identifier: MIT-0
// Tensors that are images: constants, and a pool for what kernels write.
#ifndef BURIN_RT_OPENCL_IMAGES_H
#define BURIN_RT_OPENCL_IMAGES_H

#include "../tree.h"
#include "context.h"

namespace burin_cl {
inline namespace BURIN_RT_TREE {

// An image of the device, and its extent in texels of four components.
struct Image {
  Handle handle;
  size_t width, height;
};
// A constant that is an image: its texels in the weights, row by row.
struct ConstantImage {
  size_t width, height;
  int64_t offset;  // bytes
  bool halves;
};
// What a run needs one of the pool for.
struct PooledImage {
  int64_t width, height;
  bool halves;
};

// `texels`: what it holds from the start; null: nothing.
static inline int32_t make_image(const Device& d, Image& image, size_t width, size_t height,
                                 bool halves, const void* texels) {
  const ImageFormat format = {kRgba, halves ? kHalfFloat : kFloat};
  ImageDescription description = {};
  description.kind = kImage2d;
  description.width = width;
  description.height = height;
  int32_t error = kSuccess;
  const Handle made = d.api.CreateImage(
      d.context, texels != nullptr ? kMemReadOnly | kMemCopyHostPtr : kMemReadWrite, &format,
      &description, const_cast<void*>(texels), &error);
  if (error == kSuccess) image = Image{made, width, height};
  return status_of(error);
}

static inline void release_images(const Device& d, Image* images, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (images[i].handle != nullptr) (void)d.api.ReleaseMemObject(images[i].handle);
    images[i] = Image{};
  }
}

// The constants among a tree's images, which come first; the others are made when a run needs
// them. After a failure no image is left.
static inline int32_t make_images(const Device& d, Image* images, int32_t count,
                                  const ConstantImage* constants, int32_t constant_count,
                                  const uint8_t* weights) {
  for (int32_t i = 0; i < count; ++i) images[i] = Image{};
  for (int32_t i = 0; i < constant_count; ++i) {
    const ConstantImage& one = constants[i];
    const int32_t status =
        make_image(d, images[i], one.width, one.height, one.halves, weights + one.offset);
    if (status == burin_rt::kOk) continue;
    release_images(d, images, count);
    return status;
  }
  return burin_rt::kOk;
}

// Images that are large enough are kept; in the place of others come images as large as this run
// needs them. Growing both sides of an image would take far more than any run needs where sizes
// change places.
static inline int32_t reserve_missing(const Device& d, Image* images, const PooledImage* wanted,
                                      int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    const size_t width = wanted[i].width > 0 ? static_cast<size_t>(wanted[i].width) : 1;
    const size_t height = wanted[i].height > 0 ? static_cast<size_t>(wanted[i].height) : 1;
    if (images[i].handle != nullptr && images[i].width >= width && images[i].height >= height)
      continue;
    release_images(d, &images[i], 1);
    const int32_t status = make_image(d, images[i], width, height, wanted[i].halves, nullptr);
    if (status != burin_rt::kOk) return status;
  }
  return burin_rt::kOk;
}

// The pool of a run. What earlier runs left in it may be what the device has no room for: then all
// are made anew.
static inline int32_t reserve_images(const Device& d, Image* images, const PooledImage* wanted,
                                     int32_t count) {
  if (reserve_missing(d, images, wanted, count) == burin_rt::kOk) return burin_rt::kOk;
  release_images(d, images, count);
  return reserve_missing(d, images, wanted, count);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_IMAGES_H
