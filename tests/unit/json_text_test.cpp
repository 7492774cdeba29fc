#include "backends/cpp/json_text.h"

#include <gtest/gtest.h>

namespace burin::cpp {
namespace {

Json step(int number) {
  Json out;
  out["step"] = number;
  out["nodes"] = Json::array();
  for (int i = 0; i < number; ++i)
    out["nodes"].push_back(
        {{"name", "node_of_a_long_name_" + std::to_string(i)}, {"op", "MatMul"}});
  out["reads"] = {"a", "b", "c"};
  out["word"] = "caf\xc3\xa9";
  return out;
}

// What is printed member by member is the text of the whole, wherever it stands.
TEST(JsonText, MembersAreTheSameOneByOne) {
  for (const int count : {0, 1, 2, 12}) {
    for (const size_t depth : {size_t{1}, size_t{2}, size_t{3}}) {
      Json list = Json::array(), object = Json::object();
      PrintedMembers items(depth), members(depth);
      for (int i = 0; i < count; ++i) {
        const std::string name = "value \"" + std::to_string(i) + "\"";
        list.push_back(step(i));
        items.add(step(i));
        add_member(object, name, step(i));
        members.add(name, step(i));
      }
      const auto whole = [&](const Json& a, const Json& b) {
        Json out{{"list", a}, {"object", b}, {"last", 1}};
        for (size_t i = 1; i < depth; ++i) out = Json{{"around", out}, {"beside", {1, 2}}};
        return dump(out);
      };
      EXPECT_EQ(whole(std::move(items).list(), std::move(members).object()), whole(list, object))
          << count << " members " << depth << " deep";
    }
  }
}

TEST(JsonText, MembersKeepTheirOrder) {
  Json object = Json::object();
  for (const char* name : {"z", "a", "m"}) add_member(object, name, 1);
  EXPECT_EQ(object.dump(), "{\"z\":1,\"a\":1,\"m\":1}");
}

}  // namespace
}  // namespace burin::cpp
