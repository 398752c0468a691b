// SPDX-License-Identifier: Apache-2.0
#include "sqlite_database.hpp"
#include "support.hpp"

sqlite_database::sqlite_database(const std::string& path) {
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  auto result = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
  // The log stays when the database is closed: opening again then reads what only the log has.
  if (result == SQLITE_OK)
    result = sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (result == SQLITE_OK)
    return;
  // A constructor that throws gets no destructor call.
  sqlite3_close(handle_);
  throw failure("sqlite: " + path + ": " + sqlite3_errstr(result));
}

void sqlite_database::expect(int result, const char* what) const {
  check(result == SQLITE_OK, std::string("sqlite: ") + what + ": " + sqlite3_errmsg(handle_));
}

sqlite_statement sqlite_database::prepared(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  auto length = static_cast<int>(sql.size());
  expect(sqlite3_prepare_v3(handle_, sql.c_str(), length, SQLITE_PREPARE_PERSISTENT, &statement,
                            nullptr),
         sql.c_str());
  return sqlite_statement(statement);
}

void sqlite_database::run(const sqlite_statement& statement) const {
  // Resetting gives the step's error again.
  auto result = sqlite3_step(statement.get());
  expect(sqlite3_reset(statement.get()), sqlite3_sql(statement.get()));
  check(result == SQLITE_DONE, "sqlite: a row that was not asked for");
}

void sqlite_database::run(const std::string& sql) const {
  run(prepared(sql));
}

void sqlite_database::set(const std::string& setting, const std::string& value) const {
  auto sql = "PRAGMA " + setting;
  expect(sqlite3_exec(handle_, (sql + " = " + value).c_str(), nullptr, nullptr, nullptr),
         setting.c_str());
  auto statement = prepared(sql);
  auto found = sqlite3_step(statement.get()) == SQLITE_ROW;
  auto text = found ? sqlite3_column_text(statement.get(), 0) : nullptr;
  check(text != nullptr && value == reinterpret_cast<const char*>(text),
        "sqlite: " + setting + " is not " + value);
}

void sqlite_database::checkpoint() const {
  expect(sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr),
         "checkpoint");
}
