#include "print/operand_names.h"

#include <set>
#include <utility>

#include "kernel/expr/expr.h"
#include "print/attention_roles.h"
#include "support/at.h"

namespace burin::print {
namespace {

// The strongest counts.
enum class Use : uint8_t { indices, other, zero_point, scale, bias, weights };

class Uses {
 public:
  explicit Uses(const Kernel& kernel) {
    for (const Let& let : kernel.lets) {
      for (const Expr& body : let.body) look(body, let.op == Combiner::sum);
    }
    for (const Write& write : kernel.writes) {
      look(write.value, false);
      for (const Index& index : write.at) look(index);
      for (const Condition& condition : write.when) look(condition.index);
    }
  }

  Use of(ValueId id) const {
    const auto found = uses_.find(id);
    return found == uses_.end() ? Use::indices : found->second;
  }

 private:
  void mark(ValueId id, Use use) {
    const auto [at, fresh] = uses_.emplace(id, use);
    if (!fresh) at->second = std::max(at->second, use);
  }

  // Data that says where: places, or what is computed, whose operands are what they are elsewhere.
  void look(const Index& index) {
    std::vector<ExprPtr> inner;
    index.collect_data(inner);
    for (const ExprPtr& data : inner) {
      bool computed = false;
      visit(Expr(data), [&](const ExprNode& node) {
        computed = computed || (is_float(node.type) && node.kind != ExprKind::load);
      });
      if (computed) {
        look(Expr(data), false);
        continue;
      }
      visit(Expr(data), [this](const ExprNode& node) {
        if (node.kind == ExprKind::load) mark(node.id, Use::indices);
      });
    }
  }

  // What an operand is, maybe of another type or somewhere only.
  static const ExprNode* within(const Expr& operand) {
    const ExprNode* node = &*operand;
    while (node->kind == ExprKind::cast ||
           (node->kind == ExprKind::cases && node->cases.size() == 1))
      node = node->kind == ExprKind::cast ? &*node->operands[0] : &*node->cases[0].value;
    return node;
  }

  static bool is_narrow(const ExprNode& load) {
    return is_integer(load.storage) && size_bits(load.storage) <= 16;
  }

  // Whether it is a small integer that counts as another type: what quantised numbers are shifted
  // by.
  static bool is_zero_point(const Expr& operand) {
    const ExprNode* load = within(operand);
    return load->kind == ExprKind::load && is_narrow(*load) &&
           (load != &*operand || is_packed(load->storage));
  }

  void look_at(const Expr& operand, bool summed, Use use) {
    const ExprNode* load = within(operand);
    if (load->kind == ExprKind::load) {
      const bool shifts = is_zero_point(operand) && (use == Use::bias || load->at.empty());
      // Integers that integers are multiplied with scale nothing: sums of weights.
      const bool scales = use == Use::scale && !is_integer(load->storage);
      mark(load->id, shifts ? Use::zero_point : use == Use::scale && !scales ? Use::other : use);
    }
    look(operand, summed);
  }

  // A factor of a product that is summed.
  void look_at_factor(const Expr& operand) {
    const ExprNode* node = within(operand);
    const bool shifted = node->kind == ExprKind::binary && node->binary() == Binary::sub &&
                         is_zero_point(node->operands[1]);
    if (shifted) mark(within(node->operands[1])->id, Use::zero_point);
    // One number for all elements scales them, or is what a padded place holds.
    visit(shifted ? node->operands[0] : operand, [this](const ExprNode& inner) {
      if (inner.kind != ExprKind::load) return;
      mark(inner.id, !inner.at.empty()  ? Use::weights
                     : is_narrow(inner) ? Use::zero_point
                                        : Use::scale);
    });
  }

  void look(const Expr& expr, bool summed) {
    if (!seen_.insert({&*expr, summed}).second) return;
    const ExprNode& node = *expr;
    const bool binary = node.kind == ExprKind::binary;
    const bool adds = binary && (node.binary() == Binary::add || node.binary() == Binary::sub);
    const bool divides = binary && node.binary() == Binary::div;
    const bool multiplies =
        node.kind == ExprKind::fused || (binary && node.binary() == Binary::mul);
    if (node.kind == ExprKind::load) mark(node.id, Use::other);
    for (const Index& index : node.at) look(index);
    if (node.kind == ExprKind::index) look(node.index);
    for (size_t i = 0; i < node.operands.size(); ++i) {
      if (multiplies && summed && i < 2) {
        look_at_factor(node.operands[i]);
      } else if (adds || multiplies || (divides && i == 1)) {
        look_at(node.operands[i], summed, adds || i == 2 ? Use::bias : Use::scale);
      } else {
        look(node.operands[i], summed);
      }
    }
    for (const Expr::Case& one : node.cases) {
      for (const Condition& condition : one.guard) look(condition.index);
      look(one.value, summed);
    }
  }

  std::map<ValueId, Use> uses_;
  std::set<std::pair<const ExprNode*, bool>> seen_;
};

std::string name_of(Use use, bool constant) {
  if (use == Use::indices) return "indices";
  if (!constant) return "input";
  return use == Use::weights      ? "weights"
         : use == Use::bias       ? "bias"
         : use == Use::scale      ? "scale"
         : use == Use::zero_point ? "zero_point"
                                  : "constants";
}

}  // namespace

std::map<ValueId, std::string> operand_names(const Kernel& kernel, const std::vector<Value>& values,
                                             const std::vector<ValueId>& reads,
                                             const std::vector<ValueId>& writes) {
  const Uses uses(kernel);
  const std::map<ValueId, std::string> roles = attention_roles(kernel, values);
  std::vector<std::pair<ValueId, std::string>> names;
  for (const ValueId id : reads) {
    const auto role = roles.find(id);
    const bool constant = values[burin::at(id)].kind == ValueKind::constant;
    names.emplace_back(id, role != roles.end() ? role->second : name_of(uses.of(id), constant));
  }
  for (const ValueId id : writes) names.emplace_back(id, "output");
  std::map<std::string, int> count, next;
  for (const auto& [id, name] : names) ++count[name];
  std::map<ValueId, std::string> out;
  for (const auto& [id, name] : names)
    out[id] = count[name] == 1 ? name : name + std::to_string(next[name]++);
  return out;
}

}  // namespace burin::print
