// The canonical form of sums and products. Leaves are made in index_leaves.cpp; the algebra of
// floordiv, mod, min and max is in index_divide.cpp.
#include "kernel/index/index.h"

#include <algorithm>

#include "kernel/index/index_limit.h"
#include "kernel/index/index_node.h"
#include "support/check.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr size_t kMostTerms = 1024;   // of a sum, and that one product may give
constexpr size_t kMostFactors = 256;  // of one term
constexpr int64_t kMostWritten = 4'000;
constexpr size_t kShortSum = 64;  // sums of so many terms cost less than what their nodes do

// `parts`: what it would have been made of. Numbers for all sizes in them leave nothing of it.
[[noreturn]] void refuse_size(std::string_view what, const std::vector<Index>& parts) {
  constexpr size_t kMostNamed = 8;
  constexpr int64_t kUsual = 64;  // windows and patches fit in it, as they do not in 1
  std::vector<Symbol> symbols;
  for (const Index& part : parts) part.collect_symbols(symbols);
  std::string flags;
  bool named = symbols.size() <= kMostNamed;
  for (const Symbol& symbol : symbols) {
    named = named && symbol->origin == SymbolOrigin::param;
    const int64_t wanted = symbol->hint > 0 ? symbol->hint : kUsual;
    const int64_t size = std::max({int64_t{1}, symbol->min, std::min(wanted, symbol->max)});
    flags += " " + dim_flag(symbol->name, std::to_string(size));
  }
  throw IndexLimit(Diagnostic{{},
                              "limit",
                              "a size or index " + std::string(what),
                              named && !flags.empty()
                                  ? "numbers for its sizes make it shorter, such as" + flags
                                  : "numbers for the sizes of the inputs (--dim) make it shorter"});
}

[[noreturn]] void refuse_number() {
  throw IndexLimit(Diagnostic{{}, "limit", "a size or index exceeds 64 bits", {}});
}

std::vector<Index> atoms_of(const std::vector<Index::Term>& terms) {
  std::vector<Index> out;
  for (const Index::Term& term : terms) out.insert(out.end(), term.atoms.begin(), term.atoms.end());
  return out;
}

int64_t checked_add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) refuse_number();
  return sum;
}

int64_t checked_mul(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) refuse_number();
  return product;
}

}  // namespace

// Whoever walks an expression walks what is shared in it again for every use, so one that doubles
// with each node of the model would take for ever.
Index IndexBuilder::make(IndexNode node) {
  node.written = 1;
  node.hard = Effort::spent();
  node.has_data = node.kind == IndexKind::data;
  const auto add = [&](const Index& part) {
    node.written += part.node().written;
    node.hard = node.hard || part.node().hard;
    node.has_data = node.has_data || (node.kind != IndexKind::axis && part.node().has_data);
  };
  for (const Index& operand : node.operands) add(operand);
  for (const Index::Term& term : node.terms) {
    for (const Index& atom : term.atoms) add(atom);
  }
  if (node.written > kMostWritten) {
    std::vector<Index> parts = atoms_of(node.terms);
    parts.insert(parts.end(), node.operands.begin(), node.operands.end());
    refuse_size("is too long an expression", parts);
  }
  node.range = range_of(node);
  node.hash = hash_of_node(node);
  return Index(std::make_shared<const IndexNode>(std::move(node)));
}

namespace {

void sort_and_merge(std::vector<Index::Term>& terms) {
  std::sort(terms.begin(), terms.end(), [](const Index::Term& a, const Index::Term& b) {
    return compare_atoms(a.atoms, b.atoms) < 0;
  });
  size_t kept = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (kept > 0 && compare_atoms(terms[kept - 1].atoms, terms[i].atoms) == 0) {
      terms[kept - 1].coefficient = checked_add(terms[kept - 1].coefficient, terms[i].coefficient);
    } else {
      if (kept != i) terms[kept] = std::move(terms[i]);
      ++kept;
    }
    if (terms[kept - 1].coefficient == 0) --kept;
  }
  terms.resize(kept);
}

// `all` without the terms of `part`, where all of them are there.
std::optional<std::vector<Index::Term>> without(std::vector<Index::Term> all, const Index& part) {
  if (part.constant_term() != 0 || part.is_constant()) return std::nullopt;
  for (const Index::Term& wanted : part.terms()) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const Index::Term& term) {
      return term.coefficient == wanted.coefficient && compare_atoms(term.atoms, wanted.atoms) == 0;
    });
    if (at == all.end()) return std::nullopt;
    all.erase(at);
  }
  return all;
}

// What R*mod(x, q) can be merged with: R*q*partner and it are R*whole, or R*mod(whole, modulus).
struct Merge {
  Index partner, whole;
  std::optional<Index> modulus = {};
  Index merged() const { return modulus ? mod(whole, *modulus) : whole; }
};

std::vector<Merge> merges_of(const Index& remainder, const std::vector<Index::Term>& terms) {
  const Index &x = remainder.operands()[0], &q = remainder.operands()[1];
  if (remainder.node().hard || !Effort::spend(remainder.node().written)) return {};
  std::vector<Merge> out{{remainder.node().quotient.of(remainder.node()), x}};
  if (q.range().lo <= 0) return out;
  for (const Index::Term& term : terms) {
    for (const Index& atom : term.atoms) {
      // mod(x, q) may stand for mod(mod(x, c), q) where q divides c.
      if (atom.kind() == IndexKind::floordiv && atom.operands()[1] == q &&
          !refuted_remainder(atom.operands()[0], q, remainder) &&
          mod(atom.operands()[0], q) == remainder) {
        out.push_back({atom, atom.operands()[0]});
      }
      // Two digits of x are one larger digit.
      if (atom.kind() == IndexKind::mod && atom.operands()[1].range().lo > 0 &&
          atom.operands()[0] == out[0].partner) {
        out.push_back({atom, x, q * atom.operands()[1]});
      }
    }
  }
  return out;
}

// k*R*mod(x, q) together with k*R*q*floordiv(x, q) is k*R*x, and its kin. Returns whether one pair
// was merged.
bool recombine(std::vector<Index::Term>& terms, int64_t& constant) {
  if (terms.size() < 2) return false;  // products of remainders would ask for each other
  size_t written = 0;
  for (const Index::Term& term : terms) written += term.atoms.size();
  for (size_t t = 0; t < terms.size(); ++t) {
    for (size_t a = 0; a < terms[t].atoms.size(); ++a) {
      const Index remainder = terms[t].atoms[a];
      if (remainder.kind() != IndexKind::mod) continue;
      if (a > 0 && terms[t].atoms[a - 1] == remainder) continue;  // a power
      if (written > kShortSum && !Effort::spend(static_cast<int64_t>(written))) return false;
      std::vector<Index> factors = terms[t].atoms;
      factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(a));
      const Index rest = factors.empty()
                             ? Index(terms[t].coefficient)
                             : IndexBuilder::polynomial({{terms[t].coefficient, factors}}, 0);
      std::vector<Index::Term> others = terms;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(t));
      for (const Merge& merge : merges_of(remainder, others)) {
        std::optional<std::vector<Index::Term>> left =
            without(others, rest * remainder.operands()[1] * merge.partner);
        if (!left) continue;
        const Index merged = rest * merge.merged();
        for (Index::Term& term : merged.terms()) left->push_back(std::move(term));
        constant = checked_add(constant, merged.constant_term());
        terms = std::move(*left);
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Index IndexBuilder::polynomial(std::vector<Index::Term> terms, int64_t constant) {
  const Effort effort(kEffort);
  if (terms.size() > kShortSum) Effort::spend(static_cast<int64_t>(terms.size()));
  do {
    sort_and_merge(terms);
  } while (recombine(terms, constant));
  if (terms.empty()) return Index(constant);
  if (constant == 0 && terms.size() == 1 && terms[0].coefficient == 1 &&
      terms[0].atoms.size() == 1) {
    return terms[0].atoms[0];
  }
  IndexNode node;
  if (terms.size() > kMostTerms) refuse_size("has too many terms", atoms_of(terms));
  node.kind = IndexKind::polynomial;
  node.value = constant;
  node.terms = std::move(terms);
  return make(std::move(node));
}

void IndexSum::add(const Index& part) {
  if (!long_) {
    sum_ += part;
    return;
  }
  for (Index::Term& term : part.terms()) terms_.push_back(std::move(term));
  sum_ += part.constant_term();
  if (terms_.size() <= 4 * kMostTerms) return;
  // Merged now and then, so that a sum of many long parts is refused before it is made.
  Effort::spend(static_cast<int64_t>(terms_.size()));
  sort_and_merge(terms_);
  if (terms_.size() > kMostTerms) refuse_size("has too many terms", atoms_of(terms_));
}

Index IndexSum::take() {
  return long_ ? IndexBuilder::polynomial(std::move(terms_), sum_.constant()) : sum_;
}

IndexKind Index::kind() const { return node_->kind; }
bool Index::is_constant(int64_t value) const { return is_constant() && node_->value == value; }

int64_t Index::constant() const {
  BURIN_CHECK(is_constant(), to_string(*this));
  return node_->value;
}

std::optional<int64_t> Index::as_constant() const {
  return is_constant() ? std::optional(node_->value) : std::nullopt;
}

int Index::axis_id() const {
  BURIN_CHECK(kind() == IndexKind::axis);
  return static_cast<int>(node_->value);
}

const Dim& Index::axis_extent() const {
  BURIN_CHECK(kind() == IndexKind::axis);
  return node_->operands[0];
}

const Symbol& Index::as_symbol() const {
  BURIN_CHECK(kind() == IndexKind::symbol);
  return node_->symbol;
}

const ExprPtr& Index::as_data() const {
  BURIN_CHECK(kind() == IndexKind::data);
  return node_->data;
}

const std::vector<Index>& Index::operands() const { return node_->operands; }

std::vector<Index::Term> Index::terms() const {
  switch (kind()) {
    case IndexKind::constant:
      return {};
    case IndexKind::polynomial:
      return node_->terms;
    default:
      return {Term{1, {*this}}};
  }
}

int64_t Index::constant_term() const {
  return kind() == IndexKind::constant || kind() == IndexKind::polynomial ? node_->value : 0;
}

Range Index::range() const { return node_->range; }
size_t Index::hash() const { return node_->hash; }

Index operator+(const Index& a, const Index& b) {
  if (a.is_constant(0)) return b;
  if (b.is_constant(0)) return a;
  std::vector<Index::Term> terms = a.terms();
  for (Index::Term& term : b.terms()) terms.push_back(std::move(term));
  return IndexBuilder::polynomial(std::move(terms),
                                  checked_add(a.constant_term(), b.constant_term()));
}

Index operator-(const Index& a) { return a * Index(-1); }
Index operator-(const Index& a, const Index& b) { return a + (-b); }

Index operator*(const Index& a, const Index& b) {
  if (a.is_constant(1)) return b;
  if (b.is_constant(1)) return a;
  if (a.is_constant(0) || b.is_constant(0)) return Index(0);
  std::vector<Index::Term> terms;
  const std::vector<Index::Term> as = a.terms(), bs = b.terms();
  // Squares of sums and powers of powers grow exponentially with the nodes that write them down.
  if (as.size() * bs.size() > kMostTerms) refuse_size("has too many terms", {a, b});
  for (const Index::Term& x : as) {
    for (const Index::Term& y : bs) {
      if (x.atoms.size() + y.atoms.size() > kMostFactors)
        refuse_size("has too many factors", {a, b});
      Index::Term term{checked_mul(x.coefficient, y.coefficient), {}};
      term.atoms.resize(x.atoms.size() + y.atoms.size());
      std::merge(x.atoms.begin(), x.atoms.end(), y.atoms.begin(), y.atoms.end(),
                 term.atoms.begin());
      terms.push_back(std::move(term));
    }
    if (b.constant_term() != 0) {
      terms.push_back({checked_mul(x.coefficient, b.constant_term()), x.atoms});
    }
  }
  if (a.constant_term() != 0) {
    for (const Index::Term& y : bs) {
      terms.push_back({checked_mul(y.coefficient, a.constant_term()), y.atoms});
    }
  }
  return IndexBuilder::polynomial(std::move(terms),
                                  checked_mul(a.constant_term(), b.constant_term()));
}

}  // namespace burin
