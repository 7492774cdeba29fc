#include "loops/transforms/texels.h"

#include <algorithm>
#include <set>

#include "isa/texel_rows.h"
#include "loops/footprint.h"
#include "loops/transforms/change.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

class TexelStaging {
 public:
  explicit TexelStaging(Program program) : program_(std::move(program)) {}

  Program run() {
    const bool images = std::any_of(program_.buffers.begin(), program_.buffers.end(),
                                    [](const Buffer& one) { return one.image.has_value(); });
    if (!images) return std::move(program_);
    program_.body = rewrite(program_.body, [this](Stmt stmt) {
      auto* loop = std::get_if<For>(&stmt.node);
      const bool lanes = loop != nullptr && loop->kind == Kind::unrolled &&
                         loop->begin.is_constant(0) && loop->end.is_constant(kTexel);
      return lanes ? staged(std::move(*loop)) : Stmts{std::move(stmt)};
    });
    return std::move(program_);
  }

 private:
  // A texel of an image that the loop touches, and its elements.
  struct Texel {
    BufferId image = 0, elements = 0;
    std::vector<Index> at;  // row, column
    bool written = false;
  };

  // Whether `at` is component number `lane`, the loop's variable, of a texel that is settled in
  // front of the loop. Components are below four, so that fours beside it are none.
  static bool is_component(const std::vector<Index>& at, const Index& lane,
                           const std::set<int>& inside) {
    const Index fours = at[2] - lane;
    if (!mod(fours, kTexel).is_constant(0) || fours.uses_axis(lane.axis_id())) return false;
    return std::none_of(at.begin(), at.begin() + 2, [&](const Index& one) {
      std::vector<int> used;
      one.collect_axes(used);
      return one.has_data() || std::any_of(used.begin(), used.end(), [&](int axis) {
               return axis == lane.axis_id() || inside.contains(axis);
             });
    });
  }
  bool is_image(BufferId id) const { return program_.buffers[burin::at(id)].image.has_value(); }

  BufferId texel_of(BufferId image, const std::vector<Index>& at, bool written) {
    const std::vector<Index> place(at.begin(), at.begin() + 2);
    for (const Texel& one : texels_) {
      if (one.image == image && one.at == place) return one.elements;
    }
    Buffer elements;
    elements.name = free_name(program_, "texel" + std::to_string(made_++));
    elements.type = Type::f32;
    elements.shape = {kTexel};
    elements.scope = Scope::stack;
    texels_.push_back({image, program_.add(std::move(elements)), place, written});
    return texels_.back().elements;
  }

  Stmts staged(For loop) {
    const std::vector<Texel> outer = std::exchange(texels_, {});
    const std::set<int> inside = variables_in(loop.body);
    const Index lane = program_.var(loop.var);
    const auto on_leaf = [](const Index& leaf) { return leaf; };
    const auto on_node = [&](const Expr& node) {
      if (node.kind() != ExprKind::load || !is_image(node->id) ||
          !is_component(node->at, lane, inside))
        return node;
      const Expr component = program_.element(texel_of(node->id, node->at, false), {lane});
      return node.type() == Type::f16 ? Expr::to_half(component) : component;
    };
    const auto on_index = [&](const Index& one) { return burin::rewrite(one, on_node, on_leaf); };
    const auto on_expr = [&](const Expr& one) { return burin::rewrite(one, on_node, on_leaf); };
    loop.body = rewrite(loop.body, [&](Stmt stmt) {
      stmt = map(std::move(stmt), on_index, on_expr);
      auto* store = std::get_if<Store>(&stmt.node);
      if (store != nullptr && is_image(store->to[0]) && is_component(store->at, lane, inside))
        take(*store, lane);
      return Stmts{std::move(stmt)};
    });
    Stmts out, behind;
    for (const Texel& one : texels_) {
      out.push_back({Alloc{one.elements}});
      if (one.written) {
        out.push_back({For{loop.var,
                           0,
                           kTexel,
                           1,
                           Kind::unrolled,
                           {{Store{{one.elements}, {lane}, {Expr::constant(Type::f32, 0.0)}}}}}});
        behind.push_back(call(isa::write_texel(type_of(one.image)), one, one.image, one.elements));
      } else {
        out.push_back(call(isa::read_texel(type_of(one.image)), one, one.elements, one.image));
      }
    }
    out.push_back({std::move(loop)});
    append(out, std::move(behind));
    texels_ = outer;
    return out;
  }
  Type type_of(BufferId id) const { return program_.buffers[burin::at(id)].type; }

  // The element goes to the texel; of an image of fp16 it is rounded here, whatever a device does
  // where it converts texels.
  void take(Store& store, const Index& lane) {
    Expr& value = store.value[0];
    if (value.type() == Type::f16) {
      value = Expr::cast(Type::f32, value);
    } else if (type_of(store.to[0]) == Type::f16) {
      value = Expr::cast(Type::f16, value);
    }
    store.to = {texel_of(store.to[0], store.at, true)};
    store.at = {lane};
  }

  // Elements are one array, texels a row of an image.
  Stmt call(const isa::Instruction* row, const Texel& texel, BufferId to, BufferId from) const {
    const auto region = [&](BufferId id) {
      if (!is_image(id)) return Region{id, {Index(0)}, {Dim(kTexel)}};
      return Region{id, {texel.at[0], texel.at[1], Index(0)}, {Dim(1), Dim(1), Dim(kTexel)}};
    };
    return {Call{row, {region(to), region(from)}, {}}};
  }

  Program program_;
  std::vector<Texel> texels_;  // of the present loop
  int made_ = 0;
};

}  // namespace

Program stage_texels(Program program) { return TexelStaging(std::move(program)).run(); }

}  // namespace burin::loops
