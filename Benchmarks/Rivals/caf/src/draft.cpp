// SPDX-License-Identifier: Apache-2.0
// The ten-field state and its bytes: written by hand, names included.
#include "draft.hpp"
#include <cstring>
#include <string_view>

namespace {

enum tag : uint8_t { string_tag = 1, double_tag, strings_tag, bytes_tag, bool_tag, int_tag };

class writer {
public:
  explicit writer(bytes& out) : out_(out) {}

  void field(std::string_view name, const std::string& value) {
    head(name, string_tag);
    text(value);
  }

  void field(std::string_view name, double value) {
    head(name, double_tag);
    raw(&value, sizeof value);
  }

  void field(std::string_view name, const std::vector<std::string>& value) {
    head(name, strings_tag);
    length(value.size());
    for (auto& element : value)
      text(element);
  }

  void field(std::string_view name, const bytes& value) {
    head(name, bytes_tag);
    length(value.size());
    raw(value.data(), value.size());
  }

  void field(std::string_view name, bool value) {
    head(name, bool_tag);
    out_.push_back(value ? 1 : 0);
  }

  void field(std::string_view name, int64_t value) {
    head(name, int_tag);
    raw(&value, sizeof value);
  }

private:
  void head(std::string_view name, tag kind) {
    out_.push_back(static_cast<uint8_t>(name.size()));
    raw(name.data(), name.size());
    out_.push_back(kind);
  }

  void length(size_t n) {
    auto value = static_cast<uint32_t>(n);
    raw(&value, sizeof value);
  }

  void text(const std::string& value) {
    length(value.size());
    raw(value.data(), value.size());
  }

  void raw(const void* from, size_t n) {
    auto first = static_cast<const uint8_t*>(from);
    out_.insert(out_.end(), first, first + n);
  }

  bytes& out_;
};

class reader {
public:
  explicit reader(const bytes& in) : at_(in.data()), end_(in.data() + in.size()) {}

  bool at_end() const { return at_ == end_; }

  bool head(std::string_view& name, tag& kind) {
    uint8_t n = 0, k = 0;
    if (!raw(&n, 1) || left() < n)
      return false;
    name = {reinterpret_cast<const char*>(at_), n};
    at_ += n;
    if (!raw(&k, 1))
      return false;
    kind = static_cast<tag>(k);
    return true;
  }

  bool value(tag kind, std::string& into) { return kind == string_tag && text(into); }

  bool value(tag kind, double& into) { return kind == double_tag && raw(&into, sizeof into); }

  bool value(tag kind, std::vector<std::string>& into) {
    uint32_t n = 0;
    if (kind != strings_tag || !raw(&n, sizeof n) || n > left())
      return false;
    into.resize(n);
    for (auto& element : into)
      if (!text(element))
        return false;
    return true;
  }

  bool value(tag kind, bytes& into) {
    uint32_t n = 0;
    if (kind != bytes_tag || !raw(&n, sizeof n) || n > left())
      return false;
    into.assign(at_, at_ + n);
    at_ += n;
    return true;
  }

  bool value(tag kind, bool& into) {
    uint8_t byte = 0;
    if (kind != bool_tag || !raw(&byte, 1))
      return false;
    into = byte != 0;
    return true;
  }

  bool value(tag kind, int64_t& into) { return kind == int_tag && raw(&into, sizeof into); }

private:
  size_t left() const { return static_cast<size_t>(end_ - at_); }

  bool raw(void* into, size_t n) {
    if (left() < n)
      return false;
    std::memcpy(into, at_, n);
    at_ += n;
    return true;
  }

  bool text(std::string& into) {
    uint32_t n = 0;
    if (!raw(&n, sizeof n) || n > left())
      return false;
    into.assign(reinterpret_cast<const char*>(at_), n);
    at_ += n;
    return true;
  }

  const uint8_t* at_;
  const uint8_t* end_;
};

bool read_field(reader& in, std::string_view name, tag kind, draft& d) {
  if (name == "type") return in.value(kind, d.type);
  if (name == "document") return in.value(kind, d.document);
  if (name == "author") return in.value(kind, d.author);
  if (name == "edited") return in.value(kind, d.edited);
  if (name == "tags") return in.value(kind, d.tags);
  if (name == "thumbnail") return in.value(kind, d.thumbnail);
  if (name == "zoom") return in.value(kind, d.zoom);
  if (name == "isPinned") return in.value(kind, d.is_pinned);
  if (name == "edits") return in.value(kind, d.edits);
  if (name == "title") return in.value(kind, d.title);
  return false;
}

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

bytes encode(const draft& d) {
  bytes out;
  out.reserve(768);
  writer w(out);
  w.field("type", d.type);
  w.field("document", d.document);
  w.field("author", d.author);
  w.field("edited", d.edited);
  w.field("tags", d.tags);
  w.field("thumbnail", d.thumbnail);
  w.field("zoom", d.zoom);
  w.field("isPinned", d.is_pinned);
  w.field("edits", d.edits);
  w.field("title", d.title);
  return out;
}

bool decode(const bytes& from, draft& into) {
  reader in(from);
  int fields = 0;
  for (; !in.at_end(); ++fields) {
    std::string_view name;
    tag kind;
    if (!in.head(name, kind) || !read_field(in, name, kind, into))
      return false;
  }
  return fields == 10;
}
