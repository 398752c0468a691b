// SPDX-License-Identifier: Apache-2.0
// SQLite's handles, freed at the end, with every result checked.
#pragma once
#include <memory>
#include <sqlite3.h>
#include <string>

struct sqlite_finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

using sqlite_statement = std::unique_ptr<sqlite3_stmt, sqlite_finalize>;

class sqlite_database {
public:
  explicit sqlite_database(const std::string& path);
  ~sqlite_database() { sqlite3_close(handle_); }
  sqlite_database(const sqlite_database&) = delete;
  sqlite_database& operator=(const sqlite_database&) = delete;

  // Fails unless a result is SQLITE_OK.
  void expect(int result, const char* what) const;

  sqlite_statement prepared(const std::string& sql) const;

  // Runs a statement that gives no row, and makes it ready for the next time.
  void run(const sqlite_statement& statement) const;
  void run(const std::string& sql) const;

  // Sets a setting, and fails if it then has another value.
  void set(const std::string& setting, const std::string& value) const;

  // Copies the whole log into the database; the next commit writes at the log's beginning.
  void checkpoint() const;

private:
  sqlite3* handle_ = nullptr;
};
