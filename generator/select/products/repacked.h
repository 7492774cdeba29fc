// Constants that products have in panels of their own and that maps take single elements of: a
// table of embeddings whose rows the last product multiplies by, too. The maps read the panels, so
// that a tree has such a constant once.
//
// What a factor was and what it is over its panels are equal at every point, and so are their
// parts: where a part was an element of the constant, or an integer less a number, what it has
// become says where the panels have that element.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "kernel/kernel.h"
#include "select/products/repacked_constant.h"

namespace burin {

// Elements of constants of what was there before, in terms of what is there after, both over the
// axes of `kernel`. Only whole constants, of which each dimension is an axis.
struct BeforeAndAfter {
  Expr before, after;
};
std::vector<RepackedConstant> repacked(const std::vector<BeforeAndAfter>& factors,
                                       const Kernel& kernel, const std::vector<Value>& values);

// The expression over panels, where they have what it takes single elements of.
Expr over_panels(const Expr& expr, const Kernel& kernel,
                 const std::vector<RepackedConstant>& panels);
void read_panels(Kernel& kernel, const std::vector<RepackedConstant>& panels);

// Constants of many elements that some kernels pack and others take single elements of; these
// kernels wait until panels are known.
class TiedConstants {
 public:
  explicit TiedConstants(const KernelGraph& graph);
  bool wait(const Kernel& kernel) const;
  // A kernel that has waited, over the panels; what has none and needs few bits is stored several
  // to a byte, unless `read` has it. Values are added.
  Kernel over_panels(const Kernel& kernel, const std::vector<RepackedConstant>& panels,
                     const std::set<ValueId>& read, std::vector<Value>& values);

 private:
  std::set<ValueId> tied_;
  std::map<ValueId, RepackedConstant> shared_;  // several to a byte
};

}  // namespace burin
