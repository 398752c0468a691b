// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

/// Lets the log stay as it is when a connection is closed, which Swift cannot ask for: the function
/// takes any number of arguments.
static inline int proscenium_keep_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
