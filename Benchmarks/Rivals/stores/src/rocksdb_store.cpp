// SPDX-License-Identifier: Apache-2.0
// RocksDB: one entry for each session. A group is a batch, synced to the log.
#include "store.hpp"
#include "support.hpp"
#include <array>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

namespace {

void expect(const rocksdb::Status& status, const char* what) {
  check(status.ok(), std::string("rocksdb: ") + what + ": " + status.ToString());
}

// The number with its highest byte first: RocksDB compares bytes.
class key {
public:
  explicit key(uint32_t session) {
    for (size_t i = 0; i < sizeof session; ++i)
      bytes_[i] = static_cast<char>(session >> (8 * (sizeof session - 1 - i)));
  }
  rocksdb::Slice slice() const { return {bytes_.data(), bytes_.size()}; }

private:
  std::array<char, sizeof(uint32_t)> bytes_;
};

rocksdb::Options settings() {
  rocksdb::Options o;
  o.create_if_missing = true;
  // The states are incompressible.
  o.compression = rocksdb::kNoCompression;
  o.write_buffer_size = 64 << 20;
  // So that writing need not wait for a slow flush.
  o.max_write_buffer_number = 4;
  // What is overwritten is soon dropped: all but a tenth lies in the last level.
  o.level_compaction_dynamic_level_bytes = true;
  // In small portions, so that a sync of the log does not wait behind a whole file.
  o.bytes_per_sync = 1 << 20;
  // Opening again then reads what only the log has.
  o.avoid_flush_during_shutdown = true;
  o.stats_dump_period_sec = 0;
  return o;
}

class rocksdb_store : public store {
public:
  explicit rocksdb_store(const std::string& folder) {
    rocksdb::DB* database = nullptr;
    expect(rocksdb::DB::Open(settings(), folder, &database), "open");
    database_.reset(database);
    synced_.sync = true;
  }

  void begin(bool) override { batch_.Clear(); }

  void put(uint32_t session, std::string_view state) override {
    expect(batch_.Put(key(session).slice(), {state.data(), state.size()}), "put");
  }

  void commit() override { expect(database_->Write(synced_, &batch_), "write"); }

  void settle() override {
    expect(database_->Flush({}), "flush");
    expect(database_->CompactRange({}, nullptr, nullptr), "compact");
  }

  bool holds(uint32_t session, std::string_view state) override {
    rocksdb::PinnableSlice found;
    auto family = database_->DefaultColumnFamily();
    auto status = database_->Get({}, family, key(session).slice(), &found);
    if (status.IsNotFound())
      return false;
    expect(status, "get");
    return state == found.ToStringView();
  }

private:
  std::unique_ptr<rocksdb::DB> database_;
  rocksdb::WriteBatch batch_;
  rocksdb::WriteOptions synced_;
};

} // namespace

std::unique_ptr<store> open_rocksdb(const std::string& folder, const extent&) {
  return std::make_unique<rocksdb_store>(folder);
}
