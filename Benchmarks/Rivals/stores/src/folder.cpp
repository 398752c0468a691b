// SPDX-License-Identifier: Apache-2.0
#include "folder.hpp"
#include "support.hpp"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace fs = std::filesystem;

folder::folder(const std::string& parent) : path_(parent + "/rival-stores-XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr)
    throw failure("no folder could be made in " + parent + ": " + std::strerror(errno));
}

folder::~folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void folder::check_room(uint64_t bytes) const {
  std::error_code error;
  auto room = fs::space(path_, error).available;
  check(!error, path_ + ": " + error.message());
  check(room >= bytes, path_ + " has room for " + std::to_string(room) + " bytes, and "
                         + std::to_string(bytes) + " are needed");
}
