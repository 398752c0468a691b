// SPDX-License-Identifier: Apache-2.0
// What the measurement asks of a store. Calls that fail throw a failure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// How much will be stored, so that a store can choose its sizes.
struct extent {
  uint32_t sessions;
  size_t bytes;
};

// The destructor closes the store. What a close that fails loses is found after the next opening.
class store {
public:
  virtual ~store() = default;

  // A group begins, its states are put, and it is durable when commit returns. A group that fills
  // has only new sessions, each with a higher number than all before.
  virtual void begin(bool fills) = 0;
  virtual void put(uint32_t session, std::string_view state) = 0;
  virtual void commit() = 0;

  // Does what filling left to do later.
  virtual void settle() = 0;

  // Whether this is the session's state.
  virtual bool holds(uint32_t session, std::string_view state) = 0;
};

// Opens the store in a folder, or makes it there.
std::unique_ptr<store> open_sqlite(const std::string& folder, const extent& size);
std::unique_ptr<store> open_lmdb(const std::string& folder, const extent& size);
std::unique_ptr<store> open_rocksdb(const std::string& folder, const extent& size);
