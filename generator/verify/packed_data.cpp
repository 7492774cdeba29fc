#include "verify/packed_data.h"

#include <algorithm>
#include <cstring>

#include "support/diagnostics.h"

namespace burin {
namespace {

bool is_own(const PackedValue& form, size_t axis) {
  return std::find(form.axes.begin(), form.axes.end(), static_cast<int>(axis)) != form.axes.end();
}

// Where element number `element` of an item lies: its row, and its place in that row.
struct Place {
  int64_t row = 0, column = 0;
};

Place place_of(const PackedValue& form, const std::vector<int64_t>& shape, int64_t element) {
  Place place, pitch{1, 1};
  for (size_t d = shape.size(); d-- > 0;) {
    const int64_t at = element % shape[d];
    element /= shape[d];
    const bool own = is_own(form, d);
    (own ? place.row : place.column) += at * (own ? pitch.row : pitch.column);
    (own ? pitch.row : pitch.column) *= shape[d];
  }
  return place;
}

std::vector<int64_t> table_shape(const PackedValue& form, int64_t length) {
  std::vector<int64_t> shape = {length};
  if (form.axes.size() > 1) shape.push_back(static_cast<int64_t>(form.axes.size()));
  return shape;
}

}  // namespace

std::vector<HostTensor> packed_data(const PackedValue& form, const std::vector<HostTensor>& items,
                                    bool holds, Type type, std::vector<int64_t> shape) {
  std::vector<int64_t> extents, first_rows;
  int64_t rows = 0;
  for (const HostTensor& item : items) {
    std::vector<int64_t> others = {0};
    int64_t own = 1;
    for (size_t d = 0; d < item.shape.size(); ++d) {
      if (is_own(form, d)) {
        extents.push_back(item.shape[d]);
        own *= item.shape[d];
      } else {
        others.push_back(item.shape[d]);
      }
    }
    const bool alike = first_rows.empty() ||
                       std::equal(others.begin() + 1, others.end(), shape.begin() + 1, shape.end());
    if (!alike || item.shape.size() + 1 != others.size() + form.axes.size())
      refuse("io", "the tensors of a sequence have shapes that do not go together");
    shape = std::move(others);
    first_rows.push_back(rows);
    rows += own;
  }
  shape.at(0) = rows;
  HostTensor all = make_tensor(type, shape);
  int64_t columns = 1;
  for (size_t d = 1; d < shape.size(); ++d) columns *= shape[d];
  for (size_t k = 0; k < items.size(); ++k) {
    for (int64_t e = 0; e < items[k].elements(); ++e) {
      const Place place = place_of(form, items[k].shape, e);
      all.set((first_rows[k] + place.row) * columns + place.column, items[k].get(e));
    }
  }
  std::vector<HostTensor> out;
  if (form.nested) out.push_back(make_tensor(Type::i64, {}, std::vector<int64_t>{holds ? 1 : 0}));
  out.push_back(std::move(all));
  if (!form.axes.empty()) {
    const auto length = static_cast<int64_t>(items.size());
    out.push_back(make_tensor(Type::i64, table_shape(form, length), extents));
  }
  return out;
}

HostTensor made_up_extents(const PackedValue& form, int64_t length, int64_t total) {
  std::vector<int64_t> extents;
  for (int64_t k = 0; k < length; ++k) {
    const int64_t rows = total / length + (k < total % length ? 1 : 0);
    const bool halved = form.axes.size() > 1 && rows % 2 == 0;
    extents.push_back(halved ? rows / 2 : rows);
    for (size_t axis = 1; axis < form.axes.size(); ++axis)
      extents.push_back(halved && axis == 1 ? 2 : 1);
  }
  return make_tensor(Type::i64, table_shape(form, length), extents);
}

}  // namespace burin
