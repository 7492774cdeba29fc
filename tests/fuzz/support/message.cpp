#include "fuzz/support/message.h"

#include <google/protobuf/descriptor.pb.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace burin::fuzz {
namespace {

namespace pb = google::protobuf;

using Field = pb::FieldDescriptorProto;

// "  repeated int64 dims = 1 [packed = true];"
void read_field(const std::string& line, pb::DescriptorProto& message) {
  static const std::map<std::string, Field::Type> kTypes = {
      {"int32", Field::TYPE_INT32}, {"int64", Field::TYPE_INT64},   {"uint64", Field::TYPE_UINT64},
      {"float", Field::TYPE_FLOAT}, {"double", Field::TYPE_DOUBLE}, {"string", Field::TYPE_STRING},
      {"bytes", Field::TYPE_BYTES}};
  std::istringstream words(line);
  std::string label, type, name, equals;
  int number = 0;
  if (!(words >> label >> type >> name >> equals >> number) || equals != "=") std::abort();
  Field& field = *message.add_field();
  field.set_name(name);
  field.set_number(number);
  field.set_label(label == "repeated" ? Field::LABEL_REPEATED : Field::LABEL_OPTIONAL);
  if (const auto known = kTypes.find(type); known != kTypes.end()) {
    field.set_type(known->second);
  } else {
    field.set_type(Field::TYPE_MESSAGE);
    field.set_type_name(".fuzz." + type);
  }
  if (line.find("[packed = true]") != std::string::npos) field.mutable_options()->set_packed(true);
}

// The library that reads such files is a package of its own; ours has messages and fields only.
pb::FileDescriptorProto read_schema(const std::string& path) {
  pb::FileDescriptorProto file;
  file.set_name("onnx.proto");
  file.set_package("fuzz");
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("message "))
      file.add_message_type()->set_name(line.substr(8, line.find(' ', 8) - 8));
    if (line.starts_with("  "))
      read_field(line, *file.mutable_message_type(file.message_type_size() - 1));
  }
  return file;
}

// Everything has to live as long as its messages: until the end of the process.
const ProtoMessage& model_prototype() {
  static const ProtoMessage& prototype = *[] {
    static pb::DescriptorPool pool;
    if (!pool.BuildFile(read_schema(std::string(BURIN_SOURCE_DIR) + "/tests/fuzz/onnx.proto")))
      std::abort();
    static pb::DynamicMessageFactory factory(&pool);
    return factory.GetPrototype(pool.FindMessageTypeByName("fuzz.Model"));
  }();
  return prototype;
}

const pb::FieldDescriptor* field_of(const ProtoMessage& message, const char* name) {
  const pb::FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr) std::abort();
  return field;
}

const pb::Reflection& reflect(const ProtoMessage& message) { return *message.GetReflection(); }

}  // namespace

std::unique_ptr<ProtoMessage> new_model() {
  return std::unique_ptr<ProtoMessage>(model_prototype().New());
}

std::string encode(const ProtoMessage& message) { return message.SerializePartialAsString(); }

int count(const ProtoMessage& message, const char* list) {
  return reflect(message).FieldSize(message, field_of(message, list));
}

ProtoMessage& at(ProtoMessage& message, const char* list, int i) {
  return *reflect(message).MutableRepeatedMessage(&message, field_of(message, list), i);
}

ProtoMessage& add(ProtoMessage& message, const char* list) {
  return *reflect(message).AddMessage(&message, field_of(message, list));
}

ProtoMessage& sub(ProtoMessage& message, const char* field) {
  return *reflect(message).MutableMessage(&message, field_of(message, field));
}

bool has(const ProtoMessage& message, const char* field) {
  return reflect(message).HasField(message, field_of(message, field));
}

void clear(ProtoMessage& message, const char* field) {
  reflect(message).ClearField(&message, field_of(message, field));
}

void erase(ProtoMessage& message, const char* list, int i) {
  const pb::FieldDescriptor* field = field_of(message, list);
  for (int k = i; k + 1 < count(message, list); ++k)
    reflect(message).SwapElements(&message, field, k, k + 1);
  reflect(message).RemoveLast(&message, field);
}

void swap(ProtoMessage& message, const char* list, int i, int k) {
  reflect(message).SwapElements(&message, field_of(message, list), i, k);
}

std::string text(const ProtoMessage& message, const char* field) {
  return reflect(message).GetString(message, field_of(message, field));
}

void set(ProtoMessage& message, const char* name, const std::string& value) {
  reflect(message).SetString(&message, field_of(message, name), value);
}

int64_t number(const ProtoMessage& message, const char* name) {
  const pb::FieldDescriptor* field = field_of(message, name);
  return field->cpp_type() == pb::FieldDescriptor::CPPTYPE_INT32
             ? reflect(message).GetInt32(message, field)
             : reflect(message).GetInt64(message, field);
}

void set(ProtoMessage& message, const char* name, int64_t value) {
  const pb::FieldDescriptor* field = field_of(message, name);
  if (field->cpp_type() == pb::FieldDescriptor::CPPTYPE_INT32) {
    reflect(message).SetInt32(&message, field, static_cast<int32_t>(value));
  } else {
    reflect(message).SetInt64(&message, field, value);
  }
}

void set_real(ProtoMessage& message, const char* field, float value) {
  reflect(message).SetFloat(&message, field_of(message, field), value);
}

std::vector<std::string> texts(const ProtoMessage& message, const char* list) {
  std::vector<std::string> out;
  for (int i = 0; i < count(message, list); ++i)
    out.push_back(reflect(message).GetRepeatedString(message, field_of(message, list), i));
  return out;
}

void set_text(ProtoMessage& message, const char* list, int i, const std::string& value) {
  reflect(message).SetRepeatedString(&message, field_of(message, list), i, value);
}

void add_text(ProtoMessage& message, const char* list, const std::string& value) {
  reflect(message).AddString(&message, field_of(message, list), value);
}

int64_t number_at(const ProtoMessage& message, const char* list, int i) {
  return reflect(message).GetRepeatedInt64(message, field_of(message, list), i);
}

void set_number(ProtoMessage& message, const char* list, int i, int64_t value) {
  reflect(message).SetRepeatedInt64(&message, field_of(message, list), i, value);
}

void add_number(ProtoMessage& message, const char* list, int64_t value) {
  reflect(message).AddInt64(&message, field_of(message, list), value);
}

void add_real(ProtoMessage& message, const char* list, float value) {
  reflect(message).AddFloat(&message, field_of(message, list), value);
}

}  // namespace burin::fuzz
