// The pool of images: tensors that kernels write as images share images of the device where their
// lives do not overlap. Images are neither cut nor overlaid, so what is shared is a whole one, of
// the same components, as wide and as high as the largest of its tensors.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "plan/memory/alias_rules.h"

namespace burin {

struct PooledImage {
  ValueId value = kNoValue;
  Dim width, height;  // texels
};

struct ImageSlot {
  Type type = Type::none;       // of its components
  Dim width, height;            // texels
  std::vector<ValueId> values;  // in the order of their lives
  bool operator==(const ImageSlot&) const = default;
};

struct ImagePool {
  std::vector<ImageSlot> slots;
  Dim bytes = 0;           // of all of them
  Dim naive_bytes = 0;     // if every tensor had its own
  int64_t live_bytes = 0;  // the largest sum of tensors that live at once, at the hints
  bool operator==(const ImagePool&) const = default;
};

// By size, the largest first: each tensor into the image that grows least, in texels at the hints.
// What has a dynamic size has room for the most that it can be.
// Of the rules it asks which steps run at the same time.
ImagePool pool_images(const KernelGraph& graph, const std::vector<PooledImage>& images,
                      const AliasRules& rules);

// From the definition, following the steps: empty, or the fault. Every image is in one slot that is
// large enough; what a kernel reads is what was last written there; no kernel, and no two that run
// at the same time, read and write one slot.
std::string check_image_pool(const ImagePool& pool, const KernelGraph& graph,
                             const std::vector<PooledImage>& images, const AliasRules& rules);

std::string to_string(const ImagePool& pool, const KernelGraph& graph);

}  // namespace burin
