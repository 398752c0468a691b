// SPDX-License-Identifier: Apache-2.0
// The ten-field state and its bytes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

using bytes = std::vector<uint8_t>;

struct draft {
  std::string type;
  std::string document;
  std::string author;
  double edited = 0;
  std::vector<std::string> tags;
  bytes thumbnail;
  double zoom = 0;
  bool is_pinned = false;
  int64_t edits = 0;
  std::string title;

  bool operator==(const draft& other) const;
};

// The state of the measurement with the one field that changes.
draft make_draft(int64_t edits);

// Each field is its name (a length byte first), a tag byte and the value, little-endian.
bytes encode(const draft& value);

// False when the bytes are cut short or hold an unknown field or a wrong tag.
bool decode(const bytes& from, draft& into);
