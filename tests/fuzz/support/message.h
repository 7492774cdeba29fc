// Messages of onnx.proto by reflection: no generated code, so no compiler of schemas.
#pragma once

#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace burin::fuzz {

using ProtoMessage = google::protobuf::Message;

std::unique_ptr<ProtoMessage> new_model();  // fuzz.Model of tests/fuzz/onnx.proto
std::string encode(const ProtoMessage& message);

int count(const ProtoMessage& message, const char* list);
ProtoMessage& at(ProtoMessage& message, const char* list, int i);
ProtoMessage& add(ProtoMessage& message, const char* list);
ProtoMessage& sub(ProtoMessage& message, const char* field);  // made where it is missing
bool has(const ProtoMessage& message, const char* field);
void clear(ProtoMessage& message, const char* field);
void erase(ProtoMessage& message, const char* list, int i);
void swap(ProtoMessage& message, const char* list, int i, int k);

std::string text(const ProtoMessage& message, const char* field);
void set(ProtoMessage& message, const char* field, const std::string& value);
int64_t number(const ProtoMessage& message, const char* field);
void set(ProtoMessage& message, const char* field, int64_t value);
void set_real(ProtoMessage& message, const char* field, float value);

std::vector<std::string> texts(const ProtoMessage& message, const char* list);
void set_text(ProtoMessage& message, const char* list, int i, const std::string& value);
void add_text(ProtoMessage& message, const char* list, const std::string& value);
int64_t number_at(const ProtoMessage& message, const char* list, int i);
void set_number(ProtoMessage& message, const char* list, int i, int64_t value);
void add_number(ProtoMessage& message, const char* list, int64_t value);
void add_real(ProtoMessage& message, const char* list, float value);

}  // namespace burin::fuzz
