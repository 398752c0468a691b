// SPDX-License-Identifier: Apache-2.0
// The ten-field state and its bytes.
#pragma once
#include <caf/all.hpp>
#include <cstdint>
#include <string>
#include <vector>

using bytes = std::vector<char>;

struct draft {
  std::string type;
  std::string document;
  std::string author;
  double edited = 0;
  std::vector<std::string> tags;
  std::vector<uint8_t> thumbnail;
  double zoom = 0;
  bool is_pinned = false;
  int64_t edits = 0;
  std::string title;

  bool operator==(const draft& other) const;
};

// The state of the measurement with the one field that changes.
draft make_draft(int64_t edits);

template <class Inspector>
auto inspect(Inspector& f, draft& d) {
  return f(d.type, d.document, d.author, d.edited, d.tags, d.thumbnail, d.zoom, d.is_pinned, d.edits,
           d.title);
}

bytes encode(caf::actor_system& system, const draft& value);
draft decode(caf::actor_system& system, const bytes& from);
