// SPDX-License-Identifier: Apache-2.0
#include "draft.hpp"
#include "support.hpp"
#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>

namespace {

draft base() {
  draft d;
  d.type = "org.example.draft";
  d.document = "3f2b8c1e-5d47-4a90-9c1b-7e6a2d8f0b35";
  d.author = "a81c4d2f-0e63-4b7a-8f59-1c2d3e4f5a6b";
  d.edited = 812345678.25;
  for (int i = 0; i < 16; ++i)
    d.tags.push_back("tag number " + std::to_string(i));
  for (int i = 0; i < 200; ++i)
    d.thumbnail.push_back(static_cast<uint8_t>(i * 37 % 256));
  d.zoom = 1.25;
  d.is_pinned = true;
  d.title = "A draft of a letter";
  return d;
}

} // namespace

bool draft::operator==(const draft& o) const {
  return edits == o.edits && type == o.type && document == o.document && author == o.author
         && edited == o.edited && tags == o.tags && thumbnail == o.thumbnail && zoom == o.zoom
         && is_pinned == o.is_pinned && title == o.title;
}

draft make_draft(int64_t edits) {
  static const draft shared = base();
  draft d = shared;
  d.edits = edits;
  return d;
}

bytes encode(caf::actor_system& system, const draft& d) {
  bytes out;
  out.reserve(768);
  caf::binary_serializer sink(system, out);
  check(!sink(const_cast<draft&>(d)), "the state cannot be encoded");
  return out;
}

draft decode(caf::actor_system& system, const bytes& from) {
  draft d;
  caf::binary_deserializer source(system, from);
  check(!source(d), "the state cannot be decoded");
  return d;
}
