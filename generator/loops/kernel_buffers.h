// What every program of a kernel starts with: buffers for its tensors, and its expressions over
// them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "loops/program.h"

namespace burin::loops {

// A component of a let at a point of the let's own axes, as an expression of the program; the point
// is over buffers already.
using LetElement = std::function<Expr(int let, int component, const std::vector<Index>& at)>;

class KernelBuffers {
 public:
  // Makes variables of the kernel's axes, with the same numbers, and buffers of the tensors: x0, x1
  // ... in the order in which they are read, y0, y1 ... as they are written (then also read there).
  // Of a device some may be images.
  KernelBuffers(const Kernel& kernel, const std::vector<Value>& values, Program& program,
                const ImageMaps& images = {});

  void set_lets(LetElement element) { let_ = std::move(element); }
  // A symbol that stands for a variable of the program.
  void set_symbol(const std::string& name, const Index& value) { symbols_[name] = value; }

  BufferId buffer_of(ValueId value) const { return tensors_.at(value).buffer; }
  // Of an element of a tensor: where its buffer has it.
  std::vector<Index> place(ValueId value, const std::vector<Index>& at) const;
  // Over buffers instead of values and lets.
  Expr expr(const Expr& expr) const;
  Index index(const Index& index) const;
  std::vector<Index> indices(const std::vector<Index>& indices) const;
  Guard guard(const Guard& guard) const;

 private:
  Expr leaf(const Expr& node) const;
  Index symbol(const Index& leaf) const;

  struct Tensor {
    BufferId buffer = 0;
    std::optional<ImageMap> image;
    std::vector<Dim> shape;
  };
  std::map<ValueId, Tensor> tensors_;
  std::map<std::string, Index> symbols_;
  LetElement let_;
};

// How accumulators of a let are called: "sum0", "greatest2_1" for component 1.
std::string let_name(const burin::Let& let, int number, int component);

// The statement of a write, with its guard around it.
Stmt store_of(const Write& write, const KernelBuffers& buffers);
// `value` taken into the buffers of an accumulator; of a keyed let the last one says whether there
// is a key yet.
Stmt accumulate(const burin::Let& let, std::vector<BufferId> to, std::vector<Index> at,
                std::vector<Expr> value);
// An accumulator before anything was taken: the neutral element; no key yet.
Stmts begin(const burin::Let& let, const std::vector<BufferId>& to, const std::vector<Index>& at);

}  // namespace burin::loops
