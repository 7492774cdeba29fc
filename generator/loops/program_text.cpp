#include "loops/program_text.h"

#include <array>
#include <charconv>
#include <map>

#include "kernel/expr/expr_text.h"
#include "kernel/index/index_text.h"
#include "kernel/index/symbol_text.h"
#include "kernel/index/text_cursor.h"
#include "loops/combiner_text.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

// The shortest text that reads back as the same number.
std::string exact(double value) {
  std::array<char, 40> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::string(text.data(), end) : std::string();
}

class ProgramWriter {
 public:
  explicit ProgramWriter(const Program& program) : program_(program) {
    names_.symbol = [](const Symbol& symbol) { return symbol_text(symbol->name); };
    names_.data = [this](const Index& leaf) {
      const Range range = leaf.range();
      return "{" + text(Expr(leaf.as_data())) + " in " + std::to_string(range.lo) + ".." +
             std::to_string(range.hi) + "}";
    };
  }

  std::string header() const {
    std::string out = "program " + escape_text(program_.name) + "\n";
    for (const auto& [name, symbol] : symbols())
      out += "symbol " + declaration_text(*symbol) + "\n";
    if (!program_.scratch_bytes.is_constant(0))
      out += "scratch " + text(program_.scratch_bytes) + "\n";
    if (program_.told_apart) out += "apart\n";
    for (size_t v = 0; v < program_.vars.size(); ++v) {
      const Var& var = program_.vars[v];
      out += "var i" + std::to_string(v) + " " + word_or_escaped(var.name) + " < " +
             text(var.extent) + "\n";
    }
    for (const Buffer& buffer : program_.buffers) out += text(buffer) + "\n";
    return out;
  }

  void write(const Stmts& stmts, int depth, std::string& out) const {
    const std::string indent(burin::at(2 * depth), ' ');
    for (const Stmt& stmt : stmts) {
      out += indent;
      std::visit([&](const auto& one) { write(one, depth, indent, out); }, stmt.node);
      out += "\n";
    }
  }

 private:
  // All symbols of the program, by name.
  std::map<std::string, Symbol> symbols() const {
    std::vector<Symbol> all;
    const auto add = [&](const Index& index) { index.collect_symbols(all); };
    add(program_.scratch_bytes);
    for (const Var& var : program_.vars) add(var.extent);
    for (const Buffer& buffer : program_.buffers) {
      add(buffer.offset);
      for (const Dim& dim : buffer.shape) add(dim);
    }
    for_each(program_.body, [&](const Stmt& stmt) {
      for_each_index(stmt, add);
      for_each_expr(stmt, [&](const Expr& expr) { visit_indices(expr, add); });
    });
    std::map<std::string, Symbol> out;
    for (const Symbol& symbol : all) out.emplace(symbol->name, symbol);
    return out;
  }

  std::string text(const Buffer& buffer) const {
    std::string out = "buffer " + buffer.name + " " + std::string(burin::to_string(buffer.type)) +
                      " [" + list(buffer.shape) + "] " + std::string(to_string(buffer.scope));
    if (!buffer.layout.is_row_major()) out += " as " + escape_text(burin::to_string(buffer.layout));
    if (buffer.image) out += " image " + escape_text(burin::to_string(*buffer.image));
    if (buffer.scope == Scope::scratch) out += " at " + text(buffer.offset);
    if (buffer.value != kNoValue) out += " of " + std::to_string(buffer.value);
    if (buffer.written) out += " written";
    return out;
  }

  std::string text(const Index& index) const { return burin::to_string(index, names_); }
  std::string list(const std::vector<Index>& indices) const {
    std::string out;
    for (const Index& index : indices) out += (out.empty() ? "" : ", ") + text(index);
    return out;
  }
  std::string text(const Guard& guard) const {
    return guard.empty() ? "true" : burin::to_string(guard, names_);
  }
  const std::string& name(BufferId buffer) const {
    return program_.buffers[burin::at(buffer)].name;
  }

  std::string text(const Expr& expr) const {
    const ExprNode& node = *expr;
    const auto operand = [&](size_t i) { return text(node.operands[i]); };
    const std::string type(burin::to_string(node.type));
    switch (node.kind) {
      case ExprKind::constant:
        if (node.type == Type::f32) return exact(node.number);
        return (is_float(node.type) ? exact(node.number) : std::to_string(node.integer)) + ":" +
               type;
      case ExprKind::index:
        return type + "[" + text(node.index) + "]";
      case ExprKind::load:
        return name(node.id) + (node.type == Type::f16 ? ".h[" : "[") + list(node.at) + "]";
      case ExprKind::let:
        return "<let>";  // a verified program has none
      case ExprKind::unary:
        return std::string(burin::to_string(node.unary())) + "(" + operand(0) + ")";
      case ExprKind::binary: {
        const std::string_view op = infix_of(node.binary());
        if (!op.empty()) return "(" + operand(0) + " " + std::string(op) + " " + operand(1) + ")";
        return std::string(burin::to_string(node.binary())) + "(" + operand(0) + ", " + operand(1) +
               ")";
      }
      case ExprKind::select:
        return "select(" + operand(0) + ", " + operand(1) + ", " + operand(2) + ")";
      case ExprKind::fused:
        return "fma(" + operand(0) + ", " + operand(1) + ", " + operand(2) + ")";
      case ExprKind::cast:
        if (node.type == Type::f16) return "h(" + operand(0) + ")";
        return std::string(burin::to_string(node.storage)) +
               (node.mode == CastMode::saturate ? ".sat(" : "(") + operand(0) + ")";
      case ExprKind::cases: {
        std::string out = "{";
        for (const Expr::Case& one : node.cases)
          out += text(one.guard) + ": " + text(one.value) + "; ";
        return out + "else " + operand(0) + "}";
      }
    }
    return {};
  }

  void write(const For& loop, int depth, const std::string& indent, std::string& out) const {
    out += "for i" + std::to_string(loop.var) + " in " + text(loop.begin) + " .. " + text(loop.end);
    if (loop.step != 1) out += " step " + std::to_string(loop.step);
    if (loop.kind != Kind::serial) out += " " + std::string(to_string(loop.kind));
    if (loop.unroll > 0) out += " by " + std::to_string(loop.unroll);
    if (loop.lanes > 0) out += " of " + std::to_string(loop.lanes);
    if (loop.part_end >= 0) out += " to i" + std::to_string(loop.part_end);
    for (const InductionVariable& induction : loop.inductions) {
      out += " count " + induction.quotient + ", " + induction.remainder + " of " +
             text(induction.dividend) + " by " + text(induction.divisor) + " moved " +
             std::string(to_string(induction.moved));
      if (induction.moved != InductionVariable::Moved::by_much)
        out += " step " + text(induction.step);
      if (induction.parent >= 0) out += " with " + std::to_string(induction.parent);
    }
    out += " {\n";
    write(loop.body, depth + 1, out);
    out += indent + "}";
  }
  void write(const If& branch, int depth, const std::string& indent, std::string& out) const {
    out += "if " + text(branch.when) + " {\n";
    write(branch.then, depth + 1, out);
    out += indent + "}";
    if (branch.otherwise.empty()) return;
    out += " else {\n";
    write(branch.otherwise, depth + 1, out);
    out += indent + "}";
  }
  void write(const Let& let, int, const std::string&, std::string& out) const {
    out += "let i" + std::to_string(let.var) + " = " + text(let.value);
  }
  void write(const Name& name, int, const std::string&, std::string& out) const {
    out += "name " + name.name + " = " + text(name.value);
  }
  void write(const Alloc& alloc, int, const std::string&, std::string& out) const {
    out += "alloc " + name(alloc.buffer);
  }
  void write(const Store& store, int, const std::string&, std::string& out) const {
    const bool tuple = store.to.size() > 1;
    std::string names, values;
    for (const BufferId to : store.to) names += (names.empty() ? "" : ", ") + name(to);
    for (const Expr& value : store.value) values += (values.empty() ? "" : ", ") + text(value);
    out += (tuple ? "(" + names + ")" : names) + "[" + list(store.at) + "] " +
           std::string(assignment_of(store.combine)) + " " + (tuple ? "(" + values + ")" : values);
  }
  void write(const Call& call, int, const std::string&, std::string& out) const {
    out += "call " + call.op->name;
    for (size_t k = 0; k < call.sizes.size(); ++k)
      out += " " + symbol_text(call.op->sizes[k]->name) + "=" + text(call.sizes[k]);
    for (size_t k = 0; k < call.operands.size(); ++k) {
      const Region& region = call.operands[k];
      out += (k ? ", " : " ") + call.op->operands[k].name + ": " + name(region.buffer) + "[" +
             list(region.first) + " : " + list(region.extent) + "]";
    }
  }
  void write(const Barrier& barrier, int, const std::string&, std::string& out) const {
    out += "barrier " + std::string(to_string(barrier.scope));
  }

  const Program& program_;
  TextNames names_;
};

}  // namespace

std::string to_string(const Program& program) {
  const ProgramWriter writer(program);
  std::string out = writer.header() + "{\n";
  writer.write(program.body, 1, out);
  return out + "}\n";
}

std::string to_string(const Stmts& stmts, const Program& program, int depth) {
  std::string out;
  ProgramWriter(program).write(stmts, depth, out);
  return out;
}

}  // namespace burin::loops
