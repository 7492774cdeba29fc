// Compiling expressions and indices to programs.
#include "kernel/interpreter/interpreter_program.h"

#include <algorithm>

#include "kernel/index/index_node.h"
#include "support/check.h"

namespace burin {
namespace {

using Code = Instruction::Code;

int64_t wrapping_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// An affine form while it is being put together: sorted by register, no zero coefficient.
struct Form {
  int64_t constant = 0;
  std::map<Register, int64_t> terms;

  void add(const Form& other, int64_t factor) {
    constant = wrapping_add(constant, wrapping_mul(other.constant, factor));
    for (const auto& [from, coefficient] : other.terms) {
      int64_t& sum = terms[from];
      sum = wrapping_add(sum, wrapping_mul(coefficient, factor));
      if (sum == 0) terms.erase(from);
    }
  }
};

}  // namespace

struct ProgramBuilder::State {
  const ProgramScope& scope;
  Program program;
  // What already has a register on every path to the present place. Entries made inside a lazily
  // evaluated part are undone at its end.
  std::map<const void*, Register> known;
  std::vector<const void*> made;
  std::vector<size_t> guards;  // tests whose target is the stop at the end
  std::vector<Expr> results;   // `known` goes by addresses, so none may be used again

  explicit State(const ProgramScope& s) : scope(s) { program.registers.resize(s.axes.size()); }

  Register fresh(ScalarValue initial = {}) {
    program.registers.push_back(initial);
    return static_cast<Register>(program.registers.size() - 1);
  }

  size_t append(Instruction instruction) {
    program.code.push_back(instruction);
    return program.code.size() - 1;
  }

  void target_here(size_t instruction) {
    program.code[instruction].target = static_cast<int32_t>(program.code.size());
  }

  void remember(const void* node, Register at) {
    if (known.emplace(node, at).second) made.push_back(node);
  }

  void forget_from(size_t mark) {
    while (made.size() > mark) {
      known.erase(made.back());
      made.pop_back();
    }
  }

  Affine affine(const Form& form) {
    Affine out{form.constant, static_cast<int32_t>(program.terms.size()),
               static_cast<int32_t>(form.terms.size())};
    for (const auto& [from, coefficient] : form.terms) program.terms.push_back({from, coefficient});
    return out;
  }

  Affine affine(const Index& index) { return affine(form(index)); }

  // The value of a form in a register.
  Register materialize(const Form& form) {
    if (form.terms.empty()) return fresh({0, form.constant});
    if (form.constant == 0 && form.terms.size() == 1 && form.terms.begin()->second == 1) {
      return form.terms.begin()->first;
    }
    program.affines.push_back(affine(form));
    const Register to = fresh();
    append({.code = Code::affine,
            .to = to,
            .entry = static_cast<int32_t>(program.affines.size() - 1)});
    return to;
  }

  Form form(const Index& index) {
    Form sum{index.constant_term(), {}};
    if (index.is_constant()) return sum;
    for (const Index::Term& term : index.terms()) {
      Form product{1, {}};
      for (const Index& atom : term.atoms) product = multiply(product, atom_form(atom));
      sum.add(product, term.coefficient);
    }
    return sum;
  }

  Form multiply(const Form& a, const Form& b) {
    Form out;
    if (a.terms.empty()) {
      out.add(b, a.constant);
    } else if (b.terms.empty()) {
      out.add(a, b.constant);
    } else {
      out.terms[operation(Code::multiply, materialize(a), materialize(b))] = 1;
    }
    return out;
  }

  Register operation(Code code, Register a, Register b) {
    const Register to = fresh();
    append({.code = code, .to = to, .a = a, .b = b});
    return to;
  }

  Form atom_form(const Index& atom) {
    if (atom.kind() == IndexKind::symbol) return {scope.symbol(atom), {}};
    if (atom.kind() == IndexKind::axis) {
      BURIN_CHECK(static_cast<size_t>(atom.axis_id()) < scope.axes.size(), to_string(atom));
      return {0, {{atom.axis_id(), 1}}};
    }
    const void* const key = &atom.node();
    if (const auto it = known.find(key); it != known.end()) return {0, {{it->second, 1}}};
    const Register to =
        atom.kind() == IndexKind::data ? data_register(atom) : combined_register(atom);
    remember(key, to);
    return {0, {{to, 1}}};
  }

  Register data_register(const Index& atom) {
    const Register to = expr(Expr(atom.as_data()));
    program.ranges.push_back(atom.range());
    append({.code = Code::in_range,
            .a = to,
            .entry = static_cast<int32_t>(program.ranges.size() - 1)});
    return to;
  }

  Register combined_register(const Index& atom) {
    const std::vector<Index>& operands = atom.operands();
    const Code code = atom.kind() == IndexKind::floordiv ? Code::floordiv
                      : atom.kind() == IndexKind::mod    ? Code::mod
                      : atom.kind() == IndexKind::min    ? Code::min
                                                         : Code::max;
    Register all = materialize(form(operands[0]));
    for (size_t i = 1; i < operands.size(); ++i) {
      all = operation(code, all, materialize(form(operands[i])));
    }
    return all;
  }

  // Bounds of a form over all axis values; nothing where it uses other registers.
  bool always_inside(const Form& form, int64_t extent) const {
    Range range{form.constant, form.constant};
    for (const auto& [from, coefficient] : form.terms) {
      if (static_cast<size_t>(from) >= scope.axes.size()) return false;
      const int64_t last = std::max<int64_t>(0, scope.axes[static_cast<size_t>(from)] - 1);
      const int64_t end = saturating_mul(coefficient, last);
      range = {saturating_add(range.lo, std::min<int64_t>(0, end)),
               saturating_add(range.hi, std::max<int64_t>(0, end))};
    }
    return range.lo >= 0 && range.hi < extent;
  }

  ProgramAccess access(const std::vector<int64_t>& extents, const std::vector<Index>& at,
                       std::string what) {
    BURIN_CHECK(extents.size() == at.size(), what);
    ProgramAccess out;
    const std::vector<int64_t> strides = strides_of(extents);
    Form offset;
    for (size_t d = 0; d < at.size(); ++d) {
      const Form index = form(at[d]);
      offset.add(index, strides[d]);
      if (!always_inside(index, extents[d])) out.bounds.push_back({affine(index), extents[d]});
    }
    out.offset = affine(offset);
    out.what = std::move(what);
    return out;
  }

  int32_t add(ProgramAccess access) {
    program.accesses.push_back(std::move(access));
    return static_cast<int32_t>(program.accesses.size() - 1);
  }

  // A jump that is taken when the condition does not hold.
  size_t test(const Condition& condition) {
    ProgramTest out{affine(condition.index), affine(condition.lo), affine(condition.hi)};
    program.tests.push_back(out);
    return append({.code = Code::test, .entry = static_cast<int32_t>(program.tests.size() - 1)});
  }

  Register expr(const Expr& e) {
    if (const auto it = known.find(&*e); it != known.end()) return it->second;
    const Register at = compile(e);
    remember(&*e, at);
    return at;
  }

  Register compile(const Expr& e);
  Register compile_load(const Expr& e);
  Register compile_let(const Expr& e);
  Register compile_cases(const Expr& e);
};

Register ProgramBuilder::State::compile_load(const Expr& e) {
  const TensorView view = scope.tensor(e->id);
  BURIN_CHECK(view.type == e->storage, "load of " + view.name + " as another type");
  ProgramAccess read = access(view.shape, e->at, "load of " + view.name + " in " + to_string(e));
  read.data = view.data;
  read.load = load_function(view.type);
  const int32_t entry = add(std::move(read));
  const Register to = fresh();
  append({.code = Code::load, .to = to, .entry = entry});
  return to;
}

Register ProgramBuilder::State::compile_let(const Expr& e) {
  const auto number = static_cast<size_t>(e->id), component = static_cast<size_t>(e->component);
  BURIN_CHECK(scope.lets != nullptr && number < scope.lets->size(), to_string(e));
  const LetStorage& let = (*scope.lets)[number];
  BURIN_CHECK(component < let.components.size(), to_string(e));
  ProgramAccess read = access(let.extents, e->at, to_string(e));
  read.let = let.components[component].data();
  read.computed = let.computed.data();
  const int32_t entry = add(std::move(read));
  const Register to = fresh();
  append({.code = Code::let, .to = to, .entry = entry});
  return to;
}

Register ProgramBuilder::State::compile_cases(const Expr& e) {
  const Register to = fresh();
  std::vector<size_t> done;
  for (const Expr::Case& one : e->cases) {
    const size_t mark = made.size();
    std::vector<size_t> failed;
    for (const Condition& condition : one.guard) failed.push_back(test(condition));
    append({.code = Code::copy, .to = to, .a = expr(one.value)});
    done.push_back(append({.code = Code::jump}));
    for (const size_t jump : failed) target_here(jump);
    forget_from(mark);
  }
  const size_t mark = made.size();
  append({.code = Code::copy, .to = to, .a = expr(e->operands[0])});
  forget_from(mark);
  for (const size_t jump : done) target_here(jump);
  return to;
}

Register ProgramBuilder::State::compile(const Expr& e) {
  const ExprNode& node = *e;
  switch (node.kind) {
    case ExprKind::constant:
      return fresh({node.number, node.integer});
    case ExprKind::index: {
      const Register at = materialize(form(node.index));
      if (node.type == Type::i64) return at;
      const Register to = fresh();
      append({.code = Code::wrap32, .to = to, .a = at});
      return to;
    }
    case ExprKind::load:
      return compile_load(e);
    case ExprKind::let:
      return compile_let(e);
    case ExprKind::unary: {
      const Register a = expr(node.operands[0]), to = fresh();
      append({.code = Code::unary,
              .to = to,
              .a = a,
              .unary = function_of(node.unary(), node.operands[0].type())});
      return to;
    }
    case ExprKind::binary: {
      const Register a = expr(node.operands[0]), b = expr(node.operands[1]), to = fresh();
      append({.code = Code::binary,
              .to = to,
              .a = a,
              .b = b,
              .binary = function_of(node.binary(), node.operands[0].type())});
      return to;
    }
    case ExprKind::select: {
      const Register c = expr(node.operands[0]), a = expr(node.operands[1]),
                     b = expr(node.operands[2]), to = fresh();
      append({.code = Code::select, .to = to, .a = c, .b = a, .c = b});
      return to;
    }
    case ExprKind::fused: {
      const Register a = expr(node.operands[0]), b = expr(node.operands[1]),
                     c = expr(node.operands[2]), to = fresh();
      append({.code = Code::fused, .to = to, .a = a, .b = b, .c = c});
      return to;
    }
    case ExprKind::cast: {
      const Register a = expr(node.operands[0]), to = fresh();
      append({.code = Code::unary,
              .to = to,
              .a = a,
              .unary = cast_function(node.operands[0].type(), node.storage, node.mode)});
      return to;
    }
    case ExprKind::cases:
      return compile_cases(e);
  }
  check_failed("a known kind of expression", __FILE__, __LINE__);
}

ProgramBuilder::ProgramBuilder(const ProgramScope& scope) : state_(new State(scope)) {}
ProgramBuilder::~ProgramBuilder() = default;

void ProgramBuilder::guard(const Guard& guard) {
  for (const Condition& condition : guard) state_->guards.push_back(state_->test(condition));
}

void ProgramBuilder::result(const Expr& expr) {
  state_->results.push_back(expr);
  state_->program.results.push_back(state_->expr(expr));
}

void ProgramBuilder::result_offset(const TensorView& tensor, const std::vector<Index>& at) {
  const int32_t entry = state_->add(state_->access(tensor.shape, at, "write to " + tensor.name));
  const Register to = state_->fresh();
  state_->append({.code = Code::offset, .to = to, .entry = entry});
  state_->program.results.push_back(to);
}

Program ProgramBuilder::take() {
  if (!state_->guards.empty()) {
    const size_t over = state_->append({.code = Code::jump});
    for (const size_t test : state_->guards) state_->target_here(test);
    state_->append({.code = Code::stop});
    state_->target_here(over);
  }
  // Every instruction names a register, used or not.
  if (state_->program.registers.empty()) state_->fresh();
  return std::move(state_->program);
}

}  // namespace burin
