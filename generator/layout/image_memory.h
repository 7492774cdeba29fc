// The images that a plan asks for: the bytes of constants, and a pool for what kernels write.
#pragma once

#include <map>
#include <vector>

#include "plan/images/image_pool.h"
#include "select/images/image_plan.h"

namespace burin {

// Texels, row by row.
std::map<ValueId, Constant> constants_in_images(const ImagePlan& plan,
                                                const std::vector<Value>& values);

// Tensors that kernels write share images of the device. Checked.
ImagePool share_images(const ImagePlan& plan, const KernelGraph& graph, const AliasRules& rules);

}  // namespace burin
