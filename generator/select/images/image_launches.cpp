#include "select/images/image_launches.h"

#include <algorithm>

#include "select/device/cooperative_groups.h"
#include "select/device/item_points.h"
#include "select/device/launch_walk.h"
#include "support/at.h"

namespace burin {
namespace {

// The nodes right among which a write's store stands; null where there is none.
const LoopNodes* nodes_with(const LoopNodes& nodes, int write) {
  for (const LoopNode& node : nodes) {
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      if (const LoopNodes* inner = nodes_with(loop->nodes, write)) return inner;
    }
    const auto* store = std::get_if<Store>(&node.node);
    if (store && store->write == write) return &nodes;
  }
  return nullptr;
}

// The write of a value, if there is one and it always stores.
int plain_write(const Kernel& kernel, ValueId value) {
  int found = -1;
  for (size_t i = 0; i < kernel.writes.size(); ++i) {
    if (kernel.writes[i].to != value) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  if (found < 0) return -1;
  const Write& write = kernel.writes[at(found)];
  return write.how == How::store && write.when.empty() ? found : -1;
}

struct Stored {
  int launch = -1;
  const Launch* in = nullptr;
  const LoopNodes* among = nullptr;
};

Stored stored_by(const KernelSchedule& schedule, int write) {
  const std::vector<const Launch*> launches = launches_of(schedule.launches);
  Stored out;
  for (size_t i = 0; i < launches.size(); ++i) {
    int stores = 0;
    bool always = true;
    for_each_statement(launches[i]->nodes, [&](const LoopNode& node) {
      const auto* store = std::get_if<Store>(&node.node);
      if (!store || store->write != write) return;
      ++stores;
      always = always && store->when.empty();
    });
    // Attention stores by itself.
    if (launches[i]->attention && stores == 0 && write == 0) stores = 1;
    if (stores == 0) continue;
    if (out.in || stores > 1 || !always) return {};
    out = {static_cast<int>(i), launches[i], nodes_with(launches[i]->nodes, write)};
  }
  return out;
}

// Axes of which a work-item can have four points where it stores.
std::vector<int> axes_to_share(const Stored& stored, const Kernel& kernel) {
  const Launch& launch = *stored.in;
  std::vector<int> out;
  if (launch.product) {
    const Product& product = *launch.product;
    const GroupTile& tile = product.tile;
    if (product.n >= 0 && tile.columns % kTexel == 0 && tile.item_columns % kTexel == 0)
      out.push_back(product.n);
    if (product.m >= 0 && tile.rows % kTexel == 0 && tile.item_rows % kTexel == 0)
      out.push_back(product.m);
  } else if (launch.attention) {
    out.push_back(launch.attention->form.element);
  } else if (launch.cooperative > 0) {
    for (const LoopNode& node : launch.nodes) {
      const auto* loop = std::get_if<ForLoop>(&node.node);
      if (loop && &shared_body(*loop, kernel) == stored.among)
        out.push_back(shared_axes(*loop, kernel).back());
    }
  } else if (stored.among == &launch.nodes) {
    for (const Dimension& dimension : launch.dimensions)
      out.insert(out.end(), dimension.axes.begin(), dimension.axes.end());
  }
  return out;
}

// A loop over whole texels: what is read in it along its axis.
bool reads_along(const ForLoop& loop, const ImagePlan& plan, const std::vector<Value>& values,
                 const Kernel& kernel) {
  bool along = false;
  for (const LoopNode& node : loop.nodes) {
    if (std::holds_alternative<ForLoop>(node.node)) return false;
    for_each_expr(node, kernel, [&](const Expr& expr) {
      visit(expr, [&](const ExprNode& one) {
        if (one.kind != ExprKind::load || !plan.maps.contains(one.id)) return;
        along = along || is_along_texels(plan.maps.at(one.id), values[at(one.id)].shape, one.at,
                                         loop.axis, kernel);
      });
    });
  }
  return along;
}

class Applier {
 public:
  Applier(const ImagePlan& plan, const std::vector<Value>& values, KernelSchedule& schedule)
      : plan_(plan), values_(values), schedule_(schedule), kernel_(schedule.kernel) {}

  void run() {
    for (const ValueId id : reads_of(kernel_)) schedule_.images_read += plan_.maps.contains(id);
    for (const Write& write : kernel_.writes) {
      if (!plan_.maps.contains(write.to)) continue;
      ++schedule_.images_written;
      written_[writing_launch(schedule_, write.to)] =
          texel_axis(schedule_, values_, write.to, plan_.maps.at(write.to).texel);
    }
    if (schedule_.images_read + schedule_.images_written == 0) return;
    int number = 0;
    apply(schedule_.launches, number);
  }

 private:
  void apply(LaunchNodes& nodes, int& number) {
    for (LaunchNode& node : nodes) {
      if (auto* loop = std::get_if<LaunchLoop>(&node.node)) {
        apply(loop->nodes, number);
        continue;
      }
      Launch& launch = std::get<Launch>(node.node);
      if (const auto at = written_.find(number++); at != written_.end())
        launch = with_texels(launch, at->second, kernel_);
      mark(launch.nodes, launch.texels);
      if (launch.product) {
        stage(launch.product->a, launch.product->m, launch.product->tile.rows, *launch.product);
        stage(launch.product->b, launch.product->n, launch.product->tile.columns, *launch.product);
      }
    }
  }

  void mark(LoopNodes& nodes, int texels) {
    for (LoopNode& node : nodes) {
      auto* loop = std::get_if<ForLoop>(&node.node);
      if (!loop) continue;
      mark(loop->nodes, texels);
      const Dim& extent = kernel_.axes[at(loop->axis)].extent;
      if (loop->axis != texels && loop->begin.is_constant(0) && loop->end == extent &&
          reads_along(*loop, plan_, values_, kernel_))
        loop->by_texels = true;
    }
  }

  // Four neighbours, of the lanes or of the depth, where that is how some operand's texels lie.
  void stage(StagedFactor& factor, int lane, int width, const Product& product) const {
    const GroupTile& tile = product.tile;
    if (factor.panels != kNoValue || tile.depth * width % (kTexel * tile.items()) != 0) return;
    const auto along = [&](int axis) {
      bool out = false;
      visit(factor.element, [&](const ExprNode& one) {
        if (one.kind != ExprKind::load || !plan_.maps.contains(one.id)) return;
        out = out || is_along_texels(plan_.maps.at(one.id), values_[at(one.id)].shape, one.at, axis,
                                     kernel_);
      });
      return out;
    };
    if (lane >= 0 && width % kTexel == 0 && along(lane)) {
      factor.by_texels = true;
      factor.along_depth = false;
    } else if (tile.depth % kTexel == 0 && along(product.within)) {
      factor.by_texels = true;
      factor.along_depth = true;
    }
  }

  const ImagePlan& plan_;
  const std::vector<Value>& values_;
  KernelSchedule& schedule_;
  const Kernel& kernel_;
  std::map<int, int> written_;  // launch: the axis of its texels
};

void by_texels(LoopNodes& nodes, int axis) {
  for (LoopNode& node : nodes) {
    auto* loop = std::get_if<ForLoop>(&node.node);
    if (!loop) continue;
    const bool stores = std::any_of(loop->nodes.begin(), loop->nodes.end(), [](const auto& one) {
      return std::holds_alternative<Store>(one.node);
    });
    loop->by_texels = loop->by_texels || (loop->axis == axis && stores);
    by_texels(loop->nodes, axis);
  }
}

}  // namespace

bool is_along_texels(const ImageMap& map, const std::vector<Dim>& shape,
                     const std::vector<Index>& at, int axis, const Kernel& kernel) {
  const int number = static_cast<int>(kernel.axes.size());
  const Index four = Index::axis(number, ceildiv(kernel.axes[burin::at(axis)].extent, kTexel));
  const Index lane = Index::axis(number + 1, Dim(kTexel));
  std::vector<Index> moved;
  for (const Index& index : at) {
    if (index.has_data()) return false;
    moved.push_back(index.map_leaves([&](const Index& leaf) -> Index {
      const bool moves = leaf.kind() == IndexKind::axis && leaf.axis_id() == axis;
      return moves ? four * kTexel + lane : leaf;
    }));
  }
  const ImagePoint point = image_point(map, shape, moved);
  return point.component == lane && !point.x.uses_axis(number + 1) &&
         !point.y.uses_axis(number + 1);
}

int writing_launch(const KernelSchedule& schedule, ValueId value) {
  const int write = plain_write(schedule.kernel, value);
  return write < 0 ? -1 : stored_by(schedule, write).launch;
}

int texel_axis(const KernelSchedule& schedule, const std::vector<Value>& values, ValueId value,
               int dimension) {
  const Kernel& kernel = schedule.kernel;
  const int write = plain_write(kernel, value);
  if (write < 0) return -1;
  const Stored stored = stored_by(schedule, write);
  if (!stored.in) return -1;
  const std::vector<Index>& at = kernel.writes[burin::at(write)].at;
  const Dim& whole = values[burin::at(value)].shape[burin::at(dimension)];
  for (const int axis : axes_to_share(stored, kernel)) {
    const Dim& extent = kernel.axes[burin::at(axis)].extent;
    const Index rest = at[burin::at(dimension)] - Index::axis(axis, extent);
    bool elsewhere = rest.uses_axis(axis) || rest.has_data();
    for (size_t d = 0; d < at.size(); ++d)
      elsewhere =
          elsewhere || at[d].has_data() || (d != burin::at(dimension) && at[d].uses_axis(axis));
    // Fours of the axis are those of the dimension; the last one ends with both.
    const bool fours = rest.is_constant(0)
                           ? extent == whole
                           : mod(rest, kTexel).is_constant(0) && mod(extent, kTexel).is_constant(0);
    if (!elsewhere && fours) return axis;
  }
  return -1;
}

Launch with_texels(const Launch& launch, int axis, const Kernel& kernel) {
  Launch out = launch;
  out.texels = axis;
  out.lanes = kTexel;
  if (out.product || out.attention) return out;
  if (out.cooperative > 0) {
    by_texels(out.nodes, axis);
    return out;
  }
  fit_dimensions(out, kernel);
  return out;
}

void apply_images(const ImagePlan& plan, const std::vector<Value>& values,
                  std::map<StepId, KernelSchedule>& kernels) {
  for (auto& [step, schedule] : kernels) Applier(plan, values, schedule).run();
}

}  // namespace burin
