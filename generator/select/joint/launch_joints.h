// Which launches of a group of kernels and of one more become joint: the alignment of two sequences
// of launches, each in its order, that takes the least time.
#pragma once

#include <string>
#include <vector>

#include "select/joint/launch_load.h"

namespace burin {

// One launch of a kernel as a part of a joint one.
struct JointPart {
  int step = 0;    // place of the kernel in the list
  int launch = 0;  // which of its launches
  LaunchLoad load;
};
// A launch of one part or more, in the order of their work-groups.
struct JointParts {
  int items = 1;  // of a work-group
  std::vector<JointPart> parts;
  double us = 0;
};

JointParts single_launch(JointPart part, const Hardware& hardware);

struct JointLaunches {
  std::vector<JointParts> launches;
  double us = 0;    // of all of them
  int joint = 0;    // launches of the new kernel that have become parts of joint ones
  std::string why;  // of the first two launches that cannot be joint; empty: all can
};

// `most`: as many joint launches as possible; else as many as save time.
JointLaunches joint_launches(const std::vector<JointParts>& group,
                             const std::vector<JointParts>& kernel, bool most,
                             const Hardware& hardware);

}  // namespace burin
