// Origins: the nodes of the model that a step stands for, in order, each once.
//
// Fusion puts the nodes of a map in front of those of each of its readers, link after link of a
// chain. As lists that were the square of its length in time and memory; here a merge is a node
// that refers to both, and a list is made for whoever reads it.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace burin {

// The ONNX node that a kernel stands for; raw text of the model.
struct Origin {
  std::string node;       // its name, or its first output where it has none
  std::string op;         // "Conv"
  bool moves = false;     // it computes nothing: elements go elsewhere
  bool converts = false;  // elements are what they were, as another kind of number
  std::shared_ptr<const std::string> attributes = {};  // as one line; null: it has none
  bool operator==(const Origin& other) const { return node == other.node && op == other.op; }
};

// Immutable and shared, as Expr is.
class Origins {
 public:
  Origins() = default;
  Origins(std::initializer_list<Origin> origins);  // NOLINT: a list is what it is
  // Those of `front`, then those of `back` that are not among them.
  static Origins merged(const Origins& front, const Origins& back);

  bool empty() const { return !node_; }
  const Origin& front() const;              // requires !empty(); no list is made
  const std::vector<Origin>& list() const;  // made when first asked for, by whichever thread
  size_t size() const { return list().size(); }
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  friend bool operator==(const Origins& a, const Origins& b) {
    return a.node_ == b.node_ || a.list() == b.list();
  }

 private:
  struct Node;
  explicit Origins(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

// Those that compute, then those that convert, then those that move, each in their order: what a
// reader looks for first, where there is no room for all.
std::vector<Origin> telling_first(std::vector<Origin> origins);

}  // namespace burin
