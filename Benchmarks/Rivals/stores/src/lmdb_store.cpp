// SPDX-License-Identifier: Apache-2.0
// LMDB: one entry for each session. A commit copies pages on writing and syncs them.
#include "store.hpp"
#include "support.hpp"
#include <lmdb.h>

namespace {

void expect(int result, const char* what) {
  check(result == MDB_SUCCESS, std::string("lmdb: ") + what + ": " + mdb_strerror(result));
}

struct close_environment {
  void operator()(MDB_env* environment) const { mdb_env_close(environment); }
};

struct abort_transaction {
  void operator()(MDB_txn* transaction) const { mdb_txn_abort(transaction); }
};

// The number as LMDB compares it, and what LMDB is told of it.
class key {
public:
  explicit key(uint32_t session) : number_(session) {}
  MDB_val value() { return {sizeof number_, &number_}; }

private:
  size_t number_;
};

class lmdb_store : public store {
public:
  lmdb_store(const std::string& folder, const extent& size) {
    MDB_env* environment = nullptr;
    expect(mdb_env_create(&environment), "create");
    environment_.reset(environment);
    expect(mdb_env_set_mapsize(environment, map_bytes(size)), "map size");
    // With read-ahead the page cache has large folios, of which a changed page has all written.
    constexpr unsigned flags = MDB_WRITEMAP | MDB_NORDAHEAD;
    expect(mdb_env_open(environment, folder.c_str(), flags, 0600), "open");
    begin(false);
    expect(mdb_dbi_open(transaction_.get(), nullptr, MDB_INTEGERKEY | MDB_CREATE, &database_),
           "open database");
    commit();
  }

  void begin(bool fills) override {
    transaction_ = transaction(0);
    // Keys in order fill the pages whole.
    flags_ = fills ? MDB_APPEND : 0;
  }

  void put(uint32_t session, std::string_view state) override {
    key number(session);
    auto name = number.value();
    MDB_val value{state.size(), const_cast<char*>(state.data())};
    expect(mdb_put(transaction_.get(), database_, &name, &value, flags_), "put");
  }

  // A commit that fails has freed the transaction too.
  void commit() override { expect(mdb_txn_commit(transaction_.release()), "commit"); }

  void settle() override {}

  bool holds(uint32_t session, std::string_view state) override {
    auto reading = transaction(MDB_RDONLY);
    key number(session);
    auto name = number.value();
    MDB_val found{};
    auto result = mdb_get(reading.get(), database_, &name, &found);
    if (result == MDB_NOTFOUND)
      return false;
    expect(result, "get");
    return state == std::string_view(static_cast<const char*>(found.mv_data), found.mv_size);
  }

private:
  using owned_transaction = std::unique_ptr<MDB_txn, abort_transaction>;

  // Only addresses, no room on the disk: more than any state in pages of its own needs.
  static size_t map_bytes(const extent& size) {
    return (size_t{1} << 30) + size_t{4} * size.sessions * (size.bytes + 8192);
  }

  owned_transaction transaction(unsigned flags) {
    MDB_txn* transaction = nullptr;
    expect(mdb_txn_begin(environment_.get(), nullptr, flags, &transaction), "begin");
    return owned_transaction(transaction);
  }

  std::unique_ptr<MDB_env, close_environment> environment_;
  MDB_dbi database_ = 0;
  owned_transaction transaction_;
  unsigned flags_ = 0;
};

} // namespace

std::unique_ptr<store> open_lmdb(const std::string& folder, const extent& size) {
  return std::make_unique<lmdb_store>(folder, size);
}
