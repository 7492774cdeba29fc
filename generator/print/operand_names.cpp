#include "print/operand_names.h"

#include <set>
#include <utility>

#include "kernel/expr/expr.h"
#include "support/at.h"

namespace burin::print {
namespace {

enum class Use : uint8_t { indices, other, scale, bias, weights };  // the strongest counts

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

  void look(const Index& index) {
    visit(index, [this](const ExprNode& node) {
      if (node.kind == ExprKind::load) mark(node.id, Use::indices);
    });
  }

  // The load that an operand is, maybe of another type or somewhere only.
  static const ExprNode* load_in(const Expr& operand) {
    const ExprNode* node = &*operand;
    while (node->kind == ExprKind::cast ||
           (node->kind == ExprKind::cases && node->cases.size() == 1))
      node = node->kind == ExprKind::cast ? &*node->operands[0] : &*node->cases[0].value;
    return node->kind == ExprKind::load ? node : nullptr;
  }

  void look_at(const Expr& operand, bool summed, Use use) {
    const ExprNode* load = load_in(operand);
    if (load != nullptr) mark(load->id, use);
    look(operand, summed);
  }

  void look(const Expr& expr, bool summed) {
    if (!seen_.insert({&*expr, summed}).second) return;
    const ExprNode& node = *expr;
    const bool binary = node.kind == ExprKind::binary;
    const bool adds = binary && (node.binary() == Binary::add || node.binary() == Binary::sub);
    const bool multiplies =
        node.kind == ExprKind::fused || (binary && node.binary() == Binary::mul);
    if (node.kind == ExprKind::load) mark(node.id, Use::other);
    for (const Index& index : node.at) look(index);
    if (node.kind == ExprKind::index) look(node.index);
    for (size_t i = 0; i < node.operands.size(); ++i) {
      if (multiplies && summed && i < 2) {
        visit(node.operands[i], [this](const ExprNode& inner) {
          if (inner.kind == ExprKind::load) mark(inner.id, Use::weights);
        });
      } else if (adds || multiplies) {
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
  return use == Use::weights ? "weights"
         : use == Use::bias  ? "bias"
         : use == Use::scale ? "scale"
                             : "constants";
}

}  // namespace

std::map<ValueId, std::string> operand_names(const Kernel& kernel, const std::vector<Value>& values,
                                             const std::vector<ValueId>& reads,
                                             const std::vector<ValueId>& writes) {
  const Uses uses(kernel);
  std::vector<std::pair<ValueId, std::string>> names;
  for (const ValueId id : reads)
    names.emplace_back(id, name_of(uses.of(id), values[burin::at(id)].kind == ValueKind::constant));
  for (const ValueId id : writes) names.emplace_back(id, "output");
  std::map<std::string, int> count, next;
  for (const auto& [id, name] : names) ++count[name];
  std::map<ValueId, std::string> out;
  for (const auto& [id, name] : names)
    out[id] = count[name] == 1 ? name : name + std::to_string(next[name]++);
  return out;
}

}  // namespace burin::print
