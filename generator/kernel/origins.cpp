// See origins.h. Merges of merges are as deep as chains are long, so nothing here recurses.
#include "kernel/origins.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace burin {

// One origin, or two lists in a row.
struct Origins::Node {
  explicit Node(Origin origin) : one(std::move(origin)), first(&one) {}
  Node(std::shared_ptr<const Node> a, std::shared_ptr<const Node> b)
      : first(a->first), front(std::move(a)), back(std::move(b)) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  Origin one;
  const Origin* first;  // of `one`, or of what `front` holds
  mutable std::shared_ptr<const Node> front, back;
  mutable std::atomic<const std::vector<Origin>*> list = nullptr;
};

// What nobody else holds is taken apart here, and not by destructors inside of each other.
Origins::Node::~Node() {
  delete list.load();
  std::vector<std::shared_ptr<const Node>> left;
  const auto take = [&](const Node& node) {
    for (std::shared_ptr<const Node>* part : {&node.front, &node.back}) {
      if (*part && part->use_count() == 1) left.push_back(std::move(*part));
    }
  };
  take(*this);
  while (!left.empty()) {
    const std::shared_ptr<const Node> node = std::move(left.back());
    left.pop_back();
    take(*node);
  }
}

Origins::Origins(std::initializer_list<Origin> origins) {
  for (const Origin& origin : origins)
    *this = merged(*this, Origins(std::make_shared<const Node>(origin)));
}

Origins Origins::merged(const Origins& front, const Origins& back) {
  if (front.empty() || front.node_ == back.node_) return back;
  if (back.empty()) return front;
  return Origins(std::make_shared<const Node>(front.node_, back.node_));
}

const Origin& Origins::front() const { return *node_->first; }

const std::vector<Origin>& Origins::list() const {
  static const std::vector<Origin> kNone;
  if (!node_) return kNone;
  if (const std::vector<Origin>* known = node_->list.load()) return *known;
  auto own = std::make_unique<std::vector<Origin>>();
  std::unordered_set<const Node*> visited;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  std::vector<const Node*> open = {node_.get()};
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    if (!visited.insert(node).second) continue;
    if (node->back) {
      open.push_back(node->back.get());
      open.push_back(node->front.get());
    } else if (seen.insert({node->one.node, node->one.op}).second) {
      own->push_back(node->one);
    }
  }
  const std::vector<Origin>* first = nullptr;
  // Another thread may have been faster; what it made is the same.
  return node_->list.compare_exchange_strong(first, own.get()) ? *own.release() : *first;
}

std::vector<Origin> telling_first(std::vector<Origin> origins) {
  std::stable_sort(origins.begin(), origins.end(), [](const Origin& a, const Origin& b) {
    const auto rank = [](const Origin& one) { return one.moves ? 2 : one.converts ? 1 : 0; };
    return rank(a) < rank(b);
  });
  return origins;
}

}  // namespace burin
