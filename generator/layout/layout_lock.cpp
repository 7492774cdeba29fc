#include "layout/layout_lock.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "fuse/attention/attention_form.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr const char* kComputed = "computed by its readers";

// Of every value.
std::vector<std::string> keys_of(const std::vector<Value>& values) {
  std::map<std::string, int> seen;
  std::vector<std::string> keys;
  for (const Value& value : values) {
    const int number = ++seen[value.name];
    keys.push_back(number == 1 ? value.name : value.name + "#" + std::to_string(number));
  }
  return keys;
}

bool uses(const Step& step, ValueId id) {
  const std::vector<ValueId> reads = reads_of(step), writes = writes_of(step);
  return std::find(reads.begin(), reads.end(), id) != reads.end() ||
         std::find(writes.begin(), writes.end(), id) != writes.end();
}

// Values that fusion left over are still in the list.
bool is_used(const KernelGraph& graph, ValueId id) {
  return std::any_of(graph.steps.begin(), graph.steps.end(),
                     [&](const Step& step) { return uses(step, id); });
}

// Attention packs in an order of its own (layout/layout_plan.h).
bool attention_uses(const KernelGraph& graph, ValueId id) {
  return std::any_of(graph.steps.begin(), graph.steps.end(), [&](const Step& step) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    return kernel && find_attention(*kernel, graph.values) && uses(step, id);
  });
}

// The layout that `text` says, of a tensor.
Layout parsed(std::string_view text, const std::string& name, const std::vector<Dim>& shape) {
  const std::optional<Layout> layout = layout_from_string(text, shape.size());
  if (!layout)
    refuse("plan-lock", "--plan-lock: " + quoted(std::string(text)) + " is no layout of tensor " +
                            quoted(name) + ", which has " + std::to_string(shape.size()) +
                            " dimensions");
  for (const Layout::Block& block : layout->blocks) {
    const Dim& size = shape[static_cast<size_t>(block.axis)];
    if (!mod(size, block.factor).is_constant(0))
      refuse("plan-lock", "--plan-lock: blocks of " + std::to_string(block.factor) +
                              " do not divide " + to_string(size) + ", dimension " +
                              std::to_string(block.axis) + " of tensor " + quoted(name));
  }
  return *layout;
}

// "1 3 as row-major"; `taken`: readers that have a copy already.
LayoutCopy parsed_copy(std::string_view text, const std::string& name, ValueId id,
                       const KernelGraph& graph, std::vector<bool>& taken) {
  LayoutCopy copy{id, {}, {}};
  const size_t as = text.find(" as ");
  const auto wrong = [&] {
    refuse("plan-lock", "--plan-lock: " + quoted(std::string(text)) + " is no copy of tensor " +
                            quoted(name) + ", which has " + std::to_string(taken.size()) +
                            " readers");
  };
  if (as == std::string_view::npos) wrong();
  std::string_view numbers = text.substr(0, as);
  while (!numbers.empty()) {
    const std::string_view word = numbers.substr(0, numbers.find(' '));
    numbers.remove_prefix(std::min(numbers.size(), word.size() + 1));
    size_t number = 0;
    for (const char c : word) {
      if (c < '0' || c > '9' || number > taken.size()) wrong();
      number = 10 * number + static_cast<size_t>(c - '0');
    }
    if (word.empty() || number >= taken.size() || taken[number]) wrong();
    taken[number] = true;
    copy.readers.push_back(static_cast<int>(number));
  }
  if (copy.readers.empty()) wrong();
  copy.layout = parsed(text.substr(as + 4), name, graph.values[static_cast<size_t>(id)].shape);
  return copy;
}

}  // namespace

NamedLayouts named_layouts(const LockedLayouts& locked, const Forms& forms) {
  const std::vector<std::string> keys = keys_of(forms.values);
  std::map<ValueId, std::string> texts;
  for (const auto& [id, layout] : locked.layouts) texts[id] = to_string(layout);
  for (const LayoutCopy& copy : locked.copies) {
    std::string& text = texts.try_emplace(copy.of, to_string(Layout{})).first->second;
    text += ";";
    for (const int reader : copy.readers) text += " " + std::to_string(reader);
    text += " as " + to_string(copy.layout);
  }
  for (const int number : locked.forms) {
    const Form& form = forms.forms[static_cast<size_t>(number)];
    texts.try_emplace(form.tensor, form.appears ? to_string(Layout{}) : kComputed);
  }
  NamedLayouts out;
  for (auto& [id, text] : texts) out.emplace_back(keys[static_cast<size_t>(id)], std::move(text));
  return out;
}

namespace {

void refuse_missing(const std::string& name) {
  refuse("plan-lock",
         "--plan-lock: there is no tensor " + quoted(name) + " between kernels of this model");
}

// The form that an entry takes; -1: none.
int form_of(const std::string& name, const std::string& text, const std::vector<std::string>& keys,
            const Forms& forms) {
  for (size_t f = 0; f < forms.forms.size(); ++f) {
    const Form& form = forms.forms[f];
    if (keys[static_cast<size_t>(form.tensor)] == name && (form.appears || text == kComputed))
      return static_cast<int>(f);
  }
  if (text != kComputed) return -1;
  if (std::find(keys.begin(), keys.end(), name) == keys.end()) refuse_missing(name);
  refuse("plan-lock", "--plan-lock: readers of tensor " + quoted(name) + " cannot compute it");
}

}  // namespace

LockedLayouts locked_layouts(const NamedLayouts& named, const KernelGraph& given,
                             const Forms& forms) {
  const std::vector<std::string> keys = keys_of(forms.values);
  LockedLayouts out;
  for (const auto& [name, text] : named) {
    const int form = form_of(name, text, keys, forms);
    if (form >= 0) out.forms.push_back(form);
  }
  std::sort(out.forms.begin(), out.forms.end());
  const KernelGraph graph = with_forms(given, forms, out.forms);
  const std::vector<ValueId> free = free_values(graph);
  for (const auto& [name, text] : named) {
    if (text == kComputed) continue;
    const auto at = std::find(keys.begin(), keys.end(), name);
    const auto id = static_cast<ValueId>(at - keys.begin());
    if (at == keys.end() || static_cast<size_t>(id) >= graph.values.size() || !is_used(graph, id))
      refuse_missing(name);
    if (!std::binary_search(free.begin(), free.end(), id) || attention_uses(graph, id))
      refuse("plan-lock", "--plan-lock: the layout of tensor " + quoted(name) + " is not free");
    std::string_view rest = text;
    const std::string_view own = rest.substr(0, rest.find(';'));
    const Layout layout = parsed(own, name, graph.values[static_cast<size_t>(id)].shape);
    if (!layout.is_row_major()) out.layouts[id] = layout;
    std::vector<bool> taken(readers_of(graph, id).size(), false);
    for (rest.remove_prefix(own.size()); !rest.empty();) {
      rest.remove_prefix(std::min<size_t>(rest.size(), 2));  // "; "
      const std::string_view copy = rest.substr(0, rest.find(';'));
      out.copies.push_back(parsed_copy(copy, name, id, graph, taken));
      rest.remove_prefix(copy.size());
    }
  }
  return out;
}

}  // namespace burin
