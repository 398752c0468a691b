// SPDX-License-Identifier: Apache-2.0
// SQLite: one row for each session, replaced in transactions of its write-ahead log.
#include "sqlite_database.hpp"
#include "store.hpp"
#include "support.hpp"
#include <algorithm>

namespace {

constexpr size_t log_bytes = 64 << 20;
constexpr size_t cache_bytes = 1 << 30;

// The smallest page that holds a state: the log gets whole pages, so neighbours of a state that
// is replaced would be written with it.
size_t page_bytes(size_t state) {
  // Of the page's header, the cell's and the row's.
  constexpr size_t overhead = 48;
  size_t page = 1024;
  while (page < 65536 && page < state + overhead)
    page *= 2;
  return page;
}

class sqlite_store : public store {
public:
  sqlite_store(const std::string& folder, const extent& size)
      : database_(folder + "/sessions.db") {
    auto page = page_bytes(size.bytes);
    auto pages = std::min<size_t>(size.sessions + 10000, cache_bytes / page);
    database_.set("page_size", std::to_string(page));
    database_.set("locking_mode", "exclusive");
    database_.set("journal_mode", "wal");
    // 2 is FULL: the log is synced at each commit.
    database_.set("synchronous", "2");
    database_.set("wal_autocheckpoint", std::to_string(log_bytes / page));
    database_.set("cache_size", std::to_string(pages));
    // Debian's SQLite overwrites what it frees with zeros otherwise.
    database_.set("secure_delete", "0");
    database_.run("CREATE TABLE IF NOT EXISTS session (number INTEGER PRIMARY KEY,"
                  " state BLOB NOT NULL)");
    begin_ = database_.prepared("BEGIN IMMEDIATE");
    commit_ = database_.prepared("COMMIT");
    put_ = database_.prepared("INSERT INTO session VALUES (?, ?)"
                              " ON CONFLICT DO UPDATE SET state = excluded.state");
    get_ = database_.prepared("SELECT state FROM session WHERE number = ?");
  }

  void begin(bool) override { database_.run(begin_); }

  void put(uint32_t session, std::string_view state) override {
    database_.expect(sqlite3_bind_int64(put_.get(), 1, session), "bind");
    database_.expect(
      sqlite3_bind_blob64(put_.get(), 2, state.data(), state.size(), SQLITE_STATIC), "bind");
    database_.run(put_);
  }

  void commit() override { database_.run(commit_); }

  void settle() override { database_.checkpoint(); }

  bool holds(uint32_t session, std::string_view state) override {
    auto get = get_.get();
    database_.expect(sqlite3_bind_int64(get, 1, session), "bind");
    auto found = sqlite3_step(get) == SQLITE_ROW;
    auto bytes = found ? static_cast<const char*>(sqlite3_column_blob(get, 0)) : nullptr;
    auto same = bytes != nullptr
                && state == std::string_view(bytes, static_cast<size_t>(
                                                      sqlite3_column_bytes(get, 0)));
    database_.expect(sqlite3_reset(get), "read");
    return same;
  }

private:
  // First, so that its end comes after that of the statements.
  sqlite_database database_;
  sqlite_statement begin_;
  sqlite_statement commit_;
  sqlite_statement put_;
  sqlite_statement get_;
};

} // namespace

std::unique_ptr<store> open_sqlite(const std::string& folder, const extent& size) {
  return std::make_unique<sqlite_store>(folder, size);
}
