// Programs from their text; program_text.h has the grammar.
#include <array>
#include <charconv>
#include <map>

#include "kernel/expr/expr_text.h"
#include "kernel/index/index_text.h"
#include "kernel/index/symbol_text.h"
#include "kernel/index/text_cursor.h"
#include "loops/combiner_text.h"
#include "loops/program_text.h"
#include "support/at.h"
#include "support/diagnostics.h"

namespace burin::loops {
namespace {

constexpr int kDeepest = 200;  // nesting of blocks and expressions

class ProgramReader {
  using Moved = InductionVariable::Moved;

 public:
  ProgramReader(std::string_view text, const isa::Rows& rows) : cursor_(text), rows_(rows) {
    leaves_.symbol = [this](std::string_view name) -> std::optional<Index> {
      const auto found = symbols_.find(std::string(name));
      if (found == symbols_.end()) return std::nullopt;
      return Index::symbol(found->second);
    };
    leaves_.axis = [this](int axis) -> std::optional<Index> {
      if (burin::at(axis) >= program_.vars.size()) return std::nullopt;
      return program_.var(axis);
    };
    leaves_.data = [this](TextCursor&) { return data(); };
  }

  Program read() {
    cursor_.expect("program");
    program_.name = cursor_.string();
    while (cursor_.accept("symbol")) {
      const Symbol symbol = parse_declaration(cursor_);
      if (!symbols_.emplace(symbol->name, symbol).second)
        cursor_.refuse_here(quoted(symbol->name) + " is declared twice");
    }
    if (cursor_.accept("scratch")) program_.scratch_bytes = index();
    program_.told_apart = cursor_.accept("apart");
    while (cursor_.accept("var")) variable();
    while (cursor_.accept("buffer")) buffer();
    program_.body = block();
    if (!cursor_.at_end()) cursor_.refuse_here("expected the end of the text");
    return std::move(program_);
  }

 private:
  // The one whose name comes next.
  template <class Enums>
  auto one_of(const Enums& all, const char* what) {
    const std::string name = cursor_.word();
    for (const auto one : all) {
      if (to_string(one) == name) return one;
    }
    cursor_.refuse_here("expected " + std::string(what));
  }

  // --- Declarations ---
  void variable() {
    const std::string number = cursor_.word();
    if (number != "i" + std::to_string(program_.vars.size()))
      cursor_.refuse_here("expected variable i" + std::to_string(program_.vars.size()));
    std::string name = cursor_.word_or_string();
    cursor_.expect("<");
    const Dim extent = index();
    program_.vars.push_back({std::move(name), extent});
  }

  void buffer() {
    Buffer out;
    out.name = cursor_.word();
    if (buffers_.contains(out.name)) cursor_.refuse_here(quoted(out.name) + " is declared twice");
    out.type = type();
    cursor_.expect("[");
    out.shape = list("]");
    out.scope = one_of(kScopes, "the scope of a buffer");
    if (cursor_.accept("as")) {
      const std::optional<Layout> layout = layout_from_string(cursor_.string(), out.shape.size());
      if (!layout) cursor_.refuse_here("expected a layout of " + quoted(out.name));
      out.layout = *layout;
    }
    if (cursor_.accept("image")) {
      out.image = image_map_from_string(cursor_.string());
      if (!out.image) cursor_.refuse_here("expected how it is an image");
    }
    if (out.scope == Scope::scratch) out.offset = (cursor_.expect("at"), index());
    if (cursor_.accept("of")) out.value = static_cast<ValueId>(cursor_.integer());
    out.written = cursor_.accept("written");
    buffers_[out.name] = program_.add(out);
  }

  // --- Statements ---
  Stmts block() {
    if (++depth_ > kDeepest) cursor_.refuse_here("blocks nested too deeply");
    cursor_.expect("{");
    Stmts out;
    while (!cursor_.accept("}")) out.push_back(stmt());
    --depth_;
    return out;
  }

  Stmt stmt() {
    if (cursor_.accept("for")) return {loop()};
    if (cursor_.accept("if")) return {branch()};
    if (cursor_.accept("let")) {
      const int var = variable_number();
      cursor_.expect("=");
      return {Let{var, index()}};
    }
    if (cursor_.accept("name")) {
      std::string name = cursor_.word();
      cursor_.expect("=");
      return {Name{std::move(name), index()}};
    }
    if (cursor_.accept("alloc")) return {Alloc{buffer_named(cursor_.word())}};
    if (cursor_.accept("call")) return {call()};
    if (cursor_.accept("barrier")) return {Barrier{one_of(kScopes, "what a barrier is for")}};
    return {store()};
  }

  int variable_number() {
    const std::string name = cursor_.word();
    for (size_t v = 0; v < program_.vars.size(); ++v) {
      if (name == "i" + std::to_string(v)) return static_cast<int>(v);
    }
    cursor_.refuse_here("unknown variable " + quoted(name));
  }

  For loop() {
    For out;
    out.var = variable_number();
    cursor_.expect("in");
    out.begin = index();
    cursor_.expect("..");
    out.end = index();
    if (cursor_.accept("step")) out.step = cursor_.integer();
    if (out.step < 1) cursor_.refuse_here("a step below 1");
    for (const Kind kind : kKinds) {
      if (cursor_.accept(to_string(kind))) out.kind = kind;
    }
    if (cursor_.accept("by")) out.unroll = static_cast<int>(cursor_.integer());
    if (cursor_.accept("of")) out.lanes = static_cast<int>(cursor_.integer());
    if (cursor_.accept("to")) out.part_end = variable_number();
    while (cursor_.accept("count")) out.inductions.push_back(induction());
    out.body = block();
    return out;
  }

  InductionVariable induction() {
    InductionVariable out;
    out.quotient = cursor_.word();
    cursor_.expect(",");
    out.remainder = cursor_.word();
    cursor_.expect("of");
    out.dividend = index();
    cursor_.expect("by");
    out.divisor = index();
    cursor_.expect("moved");
    out.moved = one_of(std::array{Moved::by_axis, Moved::by_quotient, Moved::by_much},
                       "how a dividend moves");
    if (cursor_.accept("step")) out.step = index();
    if (cursor_.accept("with")) out.parent = static_cast<int>(cursor_.integer());
    return out;
  }

  If branch() {
    If out;
    out.when = guard();
    out.then = block();
    if (cursor_.accept("else")) out.otherwise = block();
    return out;
  }

  Store store() {
    Store out;
    const bool tuple = cursor_.accept("(");
    do {
      out.to.push_back(buffer_named(cursor_.word()));
    } while (tuple && cursor_.accept(","));
    if (tuple) cursor_.expect(")");
    cursor_.expect("[");
    out.at = list("]");
    bool known = false;
    for (const Assignment& one : kAssignments) {
      if (known || !cursor_.accept(one.text)) continue;
      out.combine = one.combine;
      known = true;
    }
    if (!known) cursor_.refuse_here("expected an assignment");
    if (tuple) cursor_.expect("(");
    do {
      out.value.push_back(expr());
    } while (tuple && cursor_.accept(","));
    if (tuple) cursor_.expect(")");
    return out;
  }

  Call call() {
    Call out;
    const std::string name = cursor_.word();
    for (const isa::Instruction* row : rows_) {
      if (row->name == name) out.op = row;
    }
    if (!out.op) cursor_.refuse_here("unknown instruction " + quoted(name));
    for (const Symbol& size : out.op->sizes) {
      cursor_.expect(symbol_text(size->name));
      cursor_.expect("=");
      out.sizes.push_back(index());
    }
    for (size_t k = 0; k < out.op->operands.size(); ++k) {
      if (k > 0) cursor_.expect(",");
      cursor_.expect(out.op->operands[k].name);
      cursor_.expect(":");
      Region region;
      region.buffer = buffer_named(cursor_.word());
      cursor_.expect("[");
      region.first = list(":");
      region.extent = list("]");
      out.operands.push_back(std::move(region));
    }
    return out;
  }

  BufferId buffer_named(const std::string& name) {
    const auto found = buffers_.find(name);
    if (found == buffers_.end()) cursor_.refuse_here("unknown buffer " + quoted(name));
    return found->second;
  }

  // --- Indices and expressions ---
  Index index() { return parse_index(cursor_, leaves_); }

  // Up to and with `end`.
  std::vector<Index> list(std::string_view end) {
    std::vector<Index> out;
    if (cursor_.accept(end)) return out;
    do {
      out.push_back(index());
    } while (cursor_.accept(","));
    cursor_.expect(end);
    return out;
  }

  Index data() {
    const Expr inner = expr();
    cursor_.expect("in");
    const int64_t lo = cursor_.integer();
    cursor_.expect("..");
    const int64_t hi = cursor_.integer();
    cursor_.expect("}");
    return Index::data(inner.ptr(), {lo, hi});
  }

  Guard guard() {
    Guard out;
    if (cursor_.accept("true")) return out;
    do {
      const Index lo = index();
      cursor_.expect("<=");
      const Index middle = index();
      cursor_.expect("<");
      out.push_back({middle, lo, index()});
    } while (cursor_.accept("&&"));
    return out;
  }

  Type type() {
    const std::string name = cursor_.word();
    const std::optional<Type> found = type_from_string(name);
    if (!found) cursor_.refuse_here("unknown type " + quoted(name));
    return *found;
  }

  Expr expr() {
    if (++depth_ > kDeepest) cursor_.refuse_here("an expression nested too deeply");
    Expr out = any_expr();
    --depth_;
    return out;
  }

  Expr any_expr() {
    if (cursor_.accept("(")) {
      const Expr a = expr();
      for (const Binary op : kInfixes) {
        if (!cursor_.accept(infix_of(op))) continue;
        const Expr b = expr();
        cursor_.expect(")");
        return Expr::binary(op, a, b);
      }
      cursor_.refuse_here("expected an operator");
    }
    if (cursor_.accept("{")) return cases();
    if (!cursor_.at_word() || at_number_word()) return number();
    return named(cursor_.word());
  }

  // "inf" and "nan" are numbers; so is what starts with a digit or a sign.
  bool at_number_word() {
    const std::string word = TextCursor(cursor_).word();
    return word == "inf" || word == "nan";
  }

  Expr number() {
    const std::string digits = cursor_.number();
    const Type of = cursor_.accept(":") ? type() : Type::f32;
    if (!is_float(of)) return Expr::constant(of, read<int64_t>(digits, "an integer"));
    const auto value = read<double>(digits, "a number");
    return of == Type::f16 ? Expr::fp16_constant(value) : Expr::constant(of, value);
  }
  template <class Number>
  Number read(const std::string& digits, const char* what) {
    Number value = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    if (error != std::errc() || end != last) cursor_.refuse_here("expected " + std::string(what));
    return value;
  }

  Expr cases() {
    std::vector<Expr::Case> all;
    while (!cursor_.accept("else")) {
      Guard when = guard();
      cursor_.expect(":");
      all.push_back({std::move(when), expr()});
      cursor_.expect(";");
    }
    Expr otherwise = expr();
    cursor_.expect("}");
    return Expr::cases(std::move(all), std::move(otherwise));
  }

  Expr named(const std::string& name) {
    if (const auto found = buffers_.find(name); found != buffers_.end()) {
      const bool half = cursor_.accept(".h");
      cursor_.expect("[");
      std::vector<Index> at = list("]");
      return half ? Expr::fp16_load(found->second, std::move(at))
                  : program_.element(found->second, std::move(at));
    }
    if (const std::optional<Type> of = type_from_string(name)) {
      if (cursor_.accept("[")) {
        const Index inner = index();
        cursor_.expect("]");
        return Expr::index(inner, *of);
      }
      const bool saturate = cursor_.accept(".sat");
      return Expr::cast(*of, operands(1)[0], saturate ? CastMode::saturate : CastMode::convert);
    }
    if (name == "h") return Expr::to_half(operands(1)[0]);
    if (name == "select" || name == "fma") {
      const std::vector<Expr> all = operands(3);
      return (name == "fma" ? Expr::fused : Expr::select)(all[0], all[1], all[2]);
    }
    for (int op = 0; op < kUnaryCount; ++op) {
      if (name == burin::to_string(static_cast<Unary>(op)))
        return Expr::unary(static_cast<Unary>(op), operands(1)[0]);
    }
    for (int op = 0; op < kBinaryCount; ++op) {
      if (name != burin::to_string(static_cast<Binary>(op))) continue;
      const std::vector<Expr> both = operands(2);
      return Expr::binary(static_cast<Binary>(op), both[0], both[1]);
    }
    cursor_.refuse_here("unknown buffer or function " + quoted(name));
  }

  std::vector<Expr> operands(size_t count) {
    cursor_.expect("(");
    std::vector<Expr> out;
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) cursor_.expect(",");
      out.push_back(expr());
    }
    cursor_.expect(")");
    return out;
  }

  TextCursor cursor_;
  const isa::Rows& rows_;
  IndexLeaves leaves_;
  Program program_;
  std::map<std::string, Symbol> symbols_;
  std::map<std::string, BufferId> buffers_;
  int depth_ = 0;
};

}  // namespace

Program parse(std::string_view text, const isa::Rows& rows) {
  return ProgramReader(text, rows).read();
}

}  // namespace burin::loops
