// SHA-256: file hashes of a manifest, and the part of a name that tells equal contents from
// different ones.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace burin {

// Hash of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::string_view bytes);
  std::string hex();  // 64 lower-case digits; ends the hash: once per object

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view bytes);
// Of a file, in pieces. Refused as by read_file (file_bytes.h).
std::string sha256_of_file(const std::string& path);

}  // namespace burin
