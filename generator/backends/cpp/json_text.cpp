#include "backends/cpp/json_text.h"

#include <utility>

namespace burin::cpp {
namespace {

constexpr size_t kColumns = 120;

std::string flat(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

bool is_line(const Json& json) {
  constexpr size_t kMostMembers = 4;  // of an object on one line
  if (json.is_object() && json.size() > kMostMembers) return false;
  for (const Json& item : json) {
    if (item.is_structured() && !item.empty()) return false;
  }
  return true;
}

// "[1, 2]", {"name": "a", "op": "b"}: numbers and words, one after the other.
std::string one_line(const Json& json) {
  if (!json.is_structured() || json.empty()) return flat(json);
  std::string out;
  for (const auto& [key, value] : json.items()) {
    out += out.empty() ? "" : ", ";
    if (json.is_object()) out += flat(Json(key)) + ": ";
    out += flat(value);
  }
  return json.is_array() ? "[" + out + "]" : "{ " + out + " }";
}

// `used`: columns of the line that are taken already; `depth`: of values around this one.
void print(const Json& json, size_t depth, size_t used, std::string& out) {
  if (json.is_binary()) {  // of PrintedMembers
    const Json::binary_t& printed = json.get_binary();
    out.append(printed.begin(), printed.end());
    return;
  }
  const bool may_be_line = !json.is_structured() || json.empty() || (depth > 0 && is_line(json));
  if (may_be_line) {
    const std::string line = one_line(json);
    if (!json.is_structured() || used + line.size() + 1 <= kColumns) {
      out += line;
      return;
    }
  }
  const std::string margin(2 * depth + 2, ' ');
  bool first = true;
  out += json.is_array() ? '[' : '{';
  for (const auto& [key, value] : json.items()) {
    out += (first ? "\n" : ",\n") + margin;
    first = false;
    const std::string name = json.is_object() ? flat(Json(key)) + ": " : "";
    out += name;
    print(value, depth + 1, margin.size() + name.size(), out);
  }
  out += "\n" + std::string(2 * depth, ' ') + (json.is_array() ? ']' : '}');
}

}  // namespace

Json size_json(const Dim& dim, const TreeNames& names) {
  if (dim.is_constant()) return dim.constant();
  return readable_size(dim, names);
}

Json shape_json(const std::vector<Dim>& shape, const TreeNames& names) {
  Json out = Json::array();
  for (const Dim& dim : shape) out.push_back(size_json(dim, names));
  return out;
}

std::string dump(const Json& json) {
  std::string out;
  print(json, 0, 0, out);
  out += '\n';
  return out;
}

void add_member(Json& object, std::string name, Json value) {
  object.get_ref<Json::object_t&>().emplace_back(std::move(name), std::move(value));
}

void PrintedMembers::begin() {
  text_ += text_.empty() ? "\n" : ",\n";
  text_.append(2 * depth_ + 2, ' ');
}

void PrintedMembers::add(const Json& item) {
  begin();
  print(item, depth_ + 1, 2 * depth_ + 2, text_);
}

void PrintedMembers::add(const std::string& name, const Json& item) {
  begin();
  const std::string key = flat(Json(name)) + ": ";
  text_ += key;
  print(item, depth_ + 1, 2 * depth_ + 2 + key.size(), text_);
}

namespace {

Json closed(const std::string& text, size_t depth, char open, char close) {
  Json::binary_t bytes;
  bytes.reserve(text.size() + 2 * depth + 3);
  bytes.push_back(static_cast<uint8_t>(open));
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.push_back('\n');
  bytes.insert(bytes.end(), 2 * depth, ' ');
  bytes.push_back(static_cast<uint8_t>(close));
  return bytes;
}

}  // namespace

Json PrintedMembers::list() && {
  return text_.empty() ? Json::array() : closed(text_, depth_, '[', ']');
}

Json PrintedMembers::object() && {
  return text_.empty() ? Json::object() : closed(text_, depth_, '{', '}');
}

Json device_json(const ModelPlan& plan, const TreeNames& names) {
  const DeviceMemory& memory = plan.device;
  const std::optional<int64_t> most = memory.most();
  return {{"bytes", size_json(memory.total(), names)},
          {"most_bytes", most ? Json(*most) : Json(nullptr)},
          {"parts",
           {{"arena", size_json(memory.arena, names)},
            {"inputs_and_outputs", size_json(memory.outside, names)},
            {"images", size_json(memory.images, names)},
            {"weights", memory.constants},
            {"weights_in_images", memory.texels}}},
          {"fp16", to_string(plan.fp16.use)}};
}

}  // namespace burin::cpp
