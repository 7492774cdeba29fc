// The problem of images: which tensors may be images, in which ways, and what that costs; see
// image_plan.h.
#include <algorithm>
#include <cmath>
#include <set>

#include "fuse/access/access.h"
#include "select/device/launch_walk.h"
#include "select/device/staged_panels.h"
#include "select/images/image_launches.h"
#include "select/joint/launch_load.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr double kMostCost = 1e15;
constexpr double kPicoseconds = 1e6;  // of a microsecond
constexpr int64_t kFewestElements = 4;

double hinted_extent(const Dim& dim) {
  return static_cast<double>(std::max<int64_t>(1, at_hints(dim)));
}
Cost to_cost(double picoseconds) {
  return static_cast<Cost>(std::llround(std::min(picoseconds, kMostCost)));
}

class ImageProblemBuilder {
 public:
  ImageProblemBuilder(const KernelGraph& graph, const std::map<StepId, KernelSchedule>& kernels,
                      const std::set<StepId>& views, const Hardware& hardware)
      : graph_(graph), kernels_(kernels), hardware_(hardware) {
    const Cache& near = hardware.memory.caches.front();
    element_us_ = 4.0 / (double{1} * near.bandwidth_bytes_per_cycle *
                         hardware.opencl.compute_units * hardware.clock_mhz);
    for_each_step(graph.steps, [&](const Step& step) {
      if (!views.contains(step.id)) return;
      for (const ValueId id : reads_of(step)) shared_.insert(id);
      for (const ValueId id : writes_of(step)) shared_.insert(id);
    });
  }

  ImageProblem run() {
    find_users();
    for (size_t v = 0; v < graph_.values.size(); ++v) add_variable(static_cast<ValueId>(v));
    for (const auto& [step, schedule] : kernels_) {
      int number = 0;
      for (const Launch* launch : launches_of(schedule.launches))
        charge(schedule, *launch, number++);
    }
    for (auto& [ends, costs] : pairs_)
      problem_.choice.pairs.push_back({ends.first, ends.second, costs});
    return std::move(problem_);
  }

 private:
  struct User {
    std::vector<const KernelSchedule*> reads, writes;
    bool others = false;  // procedures, regions, what lies inside of these
  };
  const Value& value(ValueId id) const { return graph_.values[at(id)]; }

  void find_users() {
    users_.resize(graph_.values.size());
    std::set<const Step*> own;
    for (const Step& step : graph_.steps) own.insert(&step);
    for_each_step(graph_.steps, [&](const Step& step) {
      const Kernel* kernel = std::get_if<Kernel>(&step);
      const bool counts = kernel && own.contains(&step);
      for (const ValueId id : reads_of(step)) {
        if (counts) {
          users_[at(id)].reads.push_back(&kernels_.at(step.id));
        } else {
          users_[at(id)].others = true;
        }
      }
      for (const ValueId id : writes_of(step)) {
        if (counts) {
          users_[at(id)].writes.push_back(&kernels_.at(step.id));
        } else {
          users_[at(id)].others = true;
        }
      }
    });
  }

  // --- What may be an image ---

  // Why a value may be none; empty: it may.
  std::string refusal(ValueId id) const {
    const Value& one = value(id);
    const User& user = users_[at(id)];
    const DeviceImages& images = hardware_.opencl.images;
    const bool has = (one.type == Type::f32 && images.f32) || (one.type == Type::f16 && images.f16);
    if (!has) return "images of the device have no " + std::string(to_string(one.type));
    if (one.shape.empty() || at_hints(product(one.shape)) < kFewestElements)
      return "it has too few elements";
    if (user.others) return "more than kernels use it";
    if (shared_.contains(id)) return "it shares its bytes with a view";
    for (const KernelSchedule* reader : user.reads) {
      const auto& writes = reader->kernel.writes;
      if (std::any_of(writes.begin(), writes.end(), [&](const auto& w) { return w.to == id; }))
        return "a kernel reads and writes it";
      if (static_cast<int>(reads_of(reader->kernel).size()) > images.read_arguments_max)
        return "a kernel reads more tensors than it may have images";
    }
    if (one.kind == ValueKind::constant) return {};
    if (user.writes.size() != 1) return "several kernels write it";
    if (user.reads.empty()) return "nothing reads it";
    if (static_cast<int>(user.writes[0]->kernel.writes.size()) > images.written_arguments_max)
      return "a kernel writes more tensors than it may have images";
    return {};
  }

  // The dimension of a value, other than `texel`, that readers reduce most; `texel` where there is
  // none.
  int demanded(ValueId id, int texel) const {
    std::vector<double> demand(value(id).shape.size(), 0);
    for (const KernelSchedule* reader : users_[at(id)].reads) {
      std::set<int> reduced;
      for (const Let& let : reader->kernel.lets)
        reduced.insert(let.reduced.begin(), let.reduced.end());
      for (const std::vector<Index>& at : load_points(reader->kernel, id)) {
        for (size_t d = 0; d < at.size(); ++d) {
          std::vector<int> axes;
          at[d].collect_axes(axes);
          for (const int axis : axes) {
            if (reduced.contains(axis))
              demand[d] += hinted_extent(reader->kernel.axes[burin::at(axis)].extent);
          }
        }
      }
    }
    int best = texel;
    for (size_t d = 0; d < demand.size(); ++d) {
      const auto dimension = static_cast<int>(d);
      if (dimension == texel || demand[d] == 0) continue;
      if (best == texel || demand[d] >= demand[at(best)]) best = dimension;
    }
    return best;
  }

  void add_map(ValueId id, int texel, int along, std::vector<ImageMap>& maps) const {
    const DeviceImages& images = hardware_.opencl.images;
    const auto map =
        fold_into_image(value(id).shape, texel, along, images.width_max, images.height_max);
    if (map && std::find(maps.begin(), maps.end(), *map) == maps.end()) maps.push_back(*map);
  }

  void add_variable(ValueId id) {
    const Value& one = value(id);
    const User& user = users_[at(id)];
    if (one.kind == ValueKind::input || one.kind == ValueKind::output) return;
    if (user.reads.empty() && user.writes.empty()) return;
    std::string reason = refusal(id);
    std::vector<ImageMap> maps;
    bool texels = false;
    for (int d = 0; reason.empty() && d < static_cast<int>(one.shape.size()); ++d) {
      if (one.kind == ValueKind::constant ? !may_lie_along(id, d)
                                          : texel_axis(*user.writes[0], graph_.values, id, d) < 0)
        continue;
      texels = true;
      // Panels keep their order: columns along the lanes, rows along the depth.
      add_map(id, d, has_panels(users_[at(id)].reads, id) ? d : demanded(id, d), maps);
    }
    if (reason.empty() && !texels)
      reason = one.kind == ValueKind::constant ? "its panels are not read in whole vectors"
                                               : "no work-item writes whole texels of it";
    if (reason.empty() && maps.empty())
      reason = "it does not fit into an image, or nothing bounds it";
    if (!reason.empty()) {
      problem_.refused.push_back({id, false, reason});
      return;
    }
    variable_[id] = static_cast<int>(problem_.values.size());
    problem_.values.push_back(id);
    problem_.choice.costs.emplace_back(maps.size() + 1, 0);
    problem_.maps.push_back(std::move(maps));
  }

  // Constants that are no panels can lie in any way. Panels are read in vectors of their lanes, or
  // not at all as texels.
  bool may_lie_along(ValueId id, int dimension) const {
    if (!has_panels(users_[at(id)].reads, id)) return value(id).shape[at(dimension)] != Dim(1);
    if (at(dimension) + 1 != value(id).shape.size()) return false;
    for (const KernelSchedule* reader : users_[at(id)].reads) {
      for (const Launch* launch : launches_of(reader->launches)) {
        if (!launch->product) continue;
        const Product& product = *launch->product;
        for (const StagedFactor* factor : {&product.a, &product.b}) {
          const int width = factor == &product.a ? product.tile.rows : product.tile.columns;
          if (factor->panels == id && !reads_panels_in_vectors(*factor, product.tile, width))
            return false;
        }
      }
    }
    return true;
  }

  // --- What it costs ---

  // Reads of one operand of a launch: how often each element is read, and by which axes four at a
  // time.
  struct Reading {
    ValueId id = kNoValue;
    std::vector<Index> at;
    double times = 0;
    std::vector<int> along;  // axes of loops or of staging that may go by texels
    bool panels = false;
  };

  double reading_cost(const Reading& one, const ImageMap* map, int texels,
                      const Kernel& kernel) const {
    double times = one.times;
    if (!map) return times * element_us_ * kPicoseconds;
    bool fours = one.panels;
    const auto along = [&](int axis) {
      return axis >= 0 && is_along_texels(*map, value(one.id).shape, one.at, axis, kernel);
    };
    if (!fours) fours = along(texels);
    for (const int axis : one.along) fours = fours || along(axis);
    if (fours) times /= static_cast<double>(kTexel);
    return times * element_us_ * kPicoseconds * hardware_.opencl.images.texel_read_percent / 100;
  }

  void add_loads(const Expr& expr, double times, const std::vector<int>& along,
                 std::vector<Reading>& out) const {
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load && variable_.contains(node.id))
        out.push_back({node.id, node.at, times, along, false});
    });
  }

  void add_nodes(const LoopNodes& nodes, double times, int innermost, const Kernel& kernel,
                 std::vector<Reading>& out) const {
    for (const LoopNode& node : nodes) {
      if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
        const Dim& extent = kernel.axes[at(loop->axis)].extent;
        const bool last = std::none_of(loop->nodes.begin(), loop->nodes.end(), [](const auto& one) {
          return std::holds_alternative<ForLoop>(one.node);
        });
        const bool whole = last && loop->begin.is_constant(0) && loop->end == extent;
        add_nodes(loop->nodes, times * hinted_extent(extent), whole ? loop->axis : -1, kernel, out);
        continue;
      }
      for_each_expr(node, kernel, [&](const Expr& expr) {
        add_loads(expr, times, innermost < 0 ? std::vector<int>{} : std::vector<int>{innermost},
                  out);
      });
    }
  }

  std::vector<Reading> readings(const Kernel& kernel, const Launch& launch) const {
    std::vector<Reading> out;
    double points = 1;
    for (const Dimension& dimension : launch.dimensions) points *= hinted_extent(dimension.extent);
    for (const int axis : launch.host_axes) points *= hinted_extent(kernel.axes[at(axis)].extent);
    if (launch.product) {
      const Product& product = *launch.product;
      const double rows = hinted_extent(launch.dimensions[1].extent),
                   columns = hinted_extent(launch.dimensions[0].extent),
                   batch = hinted_extent(launch.dimensions[2].extent),
                   depth = hinted_extent(product.depth);
      const auto stage = [&](const StagedFactor& factor, int lane, double lanes, double again) {
        const double times = batch * depth * lanes * std::ceil(again);
        if (factor.panels == kNoValue) {
          add_loads(factor.element, times, {lane, product.within}, out);
        } else if (variable_.contains(factor.panels)) {
          out.push_back({factor.panels, {}, times, {}, true});
        }
      };
      stage(product.a, product.m, rows, columns / product.tile.columns);
      stage(product.b, product.n, columns, rows / product.tile.rows);
      for (const LoopNode& node : launch.nodes) {
        if (std::holds_alternative<Store>(node.node))
          add_nodes({node}, rows * columns * batch, -1, kernel, out);
      }
    } else if (launch.attention) {
      const AttentionSchedule& form = launch.attention->form;
      const double batch = hinted_extent(launch.dimensions[1].extent),
                   queries = hinted_extent(form.queries), keys = hinted_extent(form.keys),
                   elements = hinted_extent(form.elements);
      double depth = 1;
      for (const int axis : form.depth) depth *= hinted_extent(kernel.axes[at(axis)].extent);
      add_loads(form.q, batch * queries * depth, {}, out);
      const double read = batch * std::ceil(queries / launch.attention->queries) * keys;
      add_loads(form.k, read * depth, {}, out);
      add_loads(form.v, read * elements, {}, out);
      add_loads(form.masked, batch * queries * keys, {}, out);
      for (const PositionTable& table : form.positions)
        for (const Expr& factor : {table.q, table.p})
          add_loads(factor, batch * queries * keys * hinted_extent(table.depth_extent), {}, out);
      add_loads(form.value, batch * queries * elements, {}, out);
    } else {
      add_nodes(launch.nodes, points, -1, kernel, out);
    }
    return out;
  }

  // What it takes that each work-item has four points.
  double longer_us(const KernelSchedule& schedule, const Launch& launch, int axis) const {
    if (axis < 0) return 0;
    const Launch with = with_texels(launch, axis, schedule.kernel);
    const double plain = launch_us({load_of(schedule, launch, hardware_)}, hardware_);
    return std::max(0.0, launch_us({load_of(schedule, with, hardware_)}, hardware_) - plain);
  }

  const ImageMap* map_of(int variable, size_t state) const {
    return state == 0 ? nullptr : &problem_.maps[at(variable)][state - 1];
  }
  size_t states(int variable) const { return problem_.choice.costs[at(variable)].size(); }

  std::vector<Cost>& table(int a, int b) {
    auto& out = pairs_[{std::min(a, b), std::max(a, b)}];
    out.resize(states(a) * states(b), 0);
    return out;
  }
  size_t entry(int a, size_t s, int b, size_t t) const {
    return a < b ? s * states(b) + t : t * states(a) + s;
  }
  static void add(Cost& to, Cost more) { to = plus(to, more); }

  void charge(const KernelSchedule& schedule, const Launch& launch, int number) {
    std::vector<int> made;
    for (const Write& write : schedule.kernel.writes) {
      const auto at = variable_.find(write.to);
      if (at != variable_.end() && writing_launch(schedule, write.to) == number)
        made.push_back(at->second);
    }
    const int first = made.empty() ? -1 : made[0];
    std::vector<int> axes{-1};  // of the texels that the launch writes, by the state of the first
    for (size_t s = 1; first >= 0 && s < states(first); ++s) {
      axes.push_back(
          texel_axis(schedule, graph_.values, problem_.values[at(first)], map_of(first, s)->texel));
      add(problem_.choice.costs[at(first)][s],
          to_cost(longer_us(schedule, launch, axes[s]) * kPicoseconds));
    }
    // All images that one launch writes have their texels along one axis.
    for (size_t i = 1; i < made.size(); ++i) {
      std::vector<Cost>& costs = table(first, made[i]);
      for (size_t s = 1; s < states(first); ++s) {
        for (size_t t = 1; t < states(made[i]); ++t) {
          const int axis = texel_axis(schedule, graph_.values, problem_.values[at(made[i])],
                                      map_of(made[i], t)->texel);
          if (axis != axes[s]) add(costs[entry(first, s, made[i], t)], kForbidden);
        }
      }
      for (size_t other = i + 1; other < made.size(); ++other)
        forbid(schedule, made[i], made[other]);
    }
    for (const Reading& one : readings(schedule.kernel, launch)) {
      const int operand = variable_.at(one.id);
      for (size_t t = 0; t < states(operand); ++t) {
        const ImageMap* map = map_of(operand, t);
        if (first < 0) {
          add(problem_.choice.costs[at(operand)][t],
              to_cost(reading_cost(one, map, -1, schedule.kernel)));
          continue;
        }
        std::vector<Cost>& costs = table(first, operand);
        for (size_t s = 0; s < states(first); ++s)
          add(costs[entry(first, s, operand, t)],
              to_cost(reading_cost(one, map, axes[s], schedule.kernel)));
      }
    }
  }

  void forbid(const KernelSchedule& schedule, int a, int b) {
    std::vector<Cost>& costs = table(a, b);
    const auto axis = [&](int variable, size_t state) {
      return texel_axis(schedule, graph_.values, problem_.values[at(variable)],
                        map_of(variable, state)->texel);
    };
    for (size_t s = 1; s < states(a); ++s) {
      for (size_t t = 1; t < states(b); ++t) {
        if (axis(a, s) != axis(b, t)) add(costs[entry(a, s, b, t)], kForbidden);
      }
    }
  }

  const KernelGraph& graph_;
  const std::map<StepId, KernelSchedule>& kernels_;
  const Hardware& hardware_;
  double element_us_ = 0;  // of reading an element from a cache, with the whole device
  std::set<ValueId> shared_;
  std::vector<User> users_;
  std::map<ValueId, int> variable_;
  std::map<std::pair<int, int>, std::vector<Cost>> pairs_;
  ImageProblem problem_;
};

}  // namespace

ImageProblem image_problem(const KernelGraph& graph,
                           const std::map<StepId, KernelSchedule>& kernels,
                           const std::set<StepId>& views, const Hardware& hardware) {
  return ImageProblemBuilder(graph, kernels, views, hardware).run();
}

}  // namespace burin
