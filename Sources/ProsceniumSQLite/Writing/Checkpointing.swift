// SPDX-License-Identifier: Apache-2.0

/// When the log is brought into the database, in pages of the log.
enum Checkpointing {
  /// The largest size of the log in bytes, 64 MiB.
  static let logLimit = 64 << 20

  /// From here on a second connection brings over what is there, beside the writer: 12 MiB.
  static let bulkPages = (12 << 20) / StoreSchema.pageSize

  /// From here on the writer itself does, and everything waits for it: 40 MiB. A transaction of the
  /// largest size still fits below the limit.
  static let urgentPages = (40 << 20) / StoreSchema.pageSize
}
