// SPDX-License-Identifier: Apache-2.0
// A fresh folder for the files of one store, removed at the end.
#pragma once
#include <cstdint>
#include <string>

class folder {
public:
  // Makes a new folder inside the given one.
  explicit folder(const std::string& parent);
  ~folder();
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  const std::string& path() const { return path_; }

  // Fails if the disk has less room than this.
  void check_room(uint64_t bytes) const;

private:
  std::string path_;
};
