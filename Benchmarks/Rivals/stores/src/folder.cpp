// SPDX-License-Identifier: Apache-2.0
#include "folder.hpp"
#include "support.hpp"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>

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

uint64_t folder::occupied_bytes() const {
  uint64_t bytes = 0;
  for (auto& entry : fs::recursive_directory_iterator(path_)) {
    struct stat status {};
    if (lstat(entry.path().c_str(), &status) == 0)
      bytes += static_cast<uint64_t>(status.st_blocks) * 512;
    else if (errno != ENOENT)
      // RocksDB removes files in the background, so one may be gone.
      throw failure(path_ + ": " + std::strerror(errno));
  }
  return bytes;
}

void folder::remove() {
  std::error_code error;
  fs::remove_all(path_, error);
  check(!error, path_ + " could not be removed: " + error.message());
}
