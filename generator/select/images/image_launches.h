// What launches do with tensors that are images: where four neighbouring points share a texel.
//
// A work-item that writes an image has four neighbouring points of one axis, the lanes of a texel:
// a launch over points has a fourth of them, a cooperative work-group shares the fours of its rows,
// tiles of products and of attention have four neighbours anyway. A loop that runs along the texels
// of an operand takes four points at a time, and so does the staging of a product's factor; one
// texel that is read then gives four elements.
#pragma once

#include <map>
#include <vector>

#include "select/images/image_plan.h"

namespace burin {

// The axis of which four neighbouring points are four neighbours of `value` along a dimension,
// whole texels of an image, at one work-item of the launch that writes it; -1: there is none, or
// the value is not written by one statement that always holds.
int texel_axis(const KernelSchedule& schedule, const std::vector<Value>& values, ValueId value,
               int dimension);

// The launch with the statement that writes a value: its place among all of the kernel; -1: several
// statements do, or none.
int writing_launch(const KernelSchedule& schedule, ValueId value);

// Whether four points of `axis`, from a multiple of four on, are the components of one texel when
// the element at `at` is read.
bool is_along_texels(const ImageMap& map, const std::vector<Dim>& shape,
                     const std::vector<Index>& at, int axis, const Kernel& kernel);

// The launch with four points of an axis at each work-item.
Launch with_texels(const Launch& launch, int axis, const Kernel& kernel);

// Launches write whole texels, loops and staging go by texels where that gives four elements.
void apply_images(const ImagePlan& plan, const std::vector<Value>& values,
                  std::map<StepId, KernelSchedule>& kernels);

}  // namespace burin
