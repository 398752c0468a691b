// SPDX-License-Identifier: Apache-2.0
// A hash map in 64 shards, each with its own reader/writer lock: the registry and the store.
// CAF's own registry has one lock for everything and its keys are 8 bytes.
#pragma once
#include "identifier.hpp"
#include <array>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

template <class Value>
class sharded_map {
public:
  void reserve(size_t n) {
    for (auto& s : shards_)
      s.entries.reserve(n / shards_.size() + n / 256);
  }

  void put(const identifier& id, Value value) {
    auto& s = shard_of(id);
    std::unique_lock<std::shared_mutex> guard(s.lock);
    s.entries.insert_or_assign(id, std::move(value));
  }

  // A copy of the value; a default one when there is none.
  Value get(const identifier& id) {
    auto& s = shard_of(id);
    std::shared_lock<std::shared_mutex> guard(s.lock);
    auto found = s.entries.find(id);
    return found == s.entries.end() ? Value{} : found->second;
  }

  // The value is destroyed after the lock is free, because it may own a whole actor.
  void erase(const identifier& id) {
    Value old{};
    auto& s = shard_of(id);
    std::unique_lock<std::shared_mutex> guard(s.lock);
    auto found = s.entries.find(id);
    if (found == s.entries.end())
      return;
    std::swap(old, found->second);
    s.entries.erase(found);
    guard.unlock();
  }

  size_t size() {
    size_t sum = 0;
    for (auto& s : shards_) {
      std::shared_lock<std::shared_mutex> guard(s.lock);
      sum += s.entries.size();
    }
    return sum;
  }

private:
  struct alignas(64) shard {
    std::shared_mutex lock;
    std::unordered_map<identifier, Value, identifier_hash> entries;
  };

  // The shard is chosen by other bits than the bucket.
  shard& shard_of(const identifier& id) { return shards_[id.high % shards_.size()]; }

  std::array<shard, 64> shards_;
};
