// SPDX-License-Identifier: Apache-2.0

/// How many events a sender sends before it lets others run.
///
/// One that is a little late is not to keep the shards from the processor. One that is far behind
/// sends more at once: its latency is lost, and shards that find few events in each of their passes
/// get less done.
enum SendBurst {
  /// The number of events for a sender that has so many to send.
  static func size(behind count: Int) -> Int { min(max(count / 64, 256), 1_024) }
}
