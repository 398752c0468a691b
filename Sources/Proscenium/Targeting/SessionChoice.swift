// SPDX-License-Identifier: Apache-2.0

/// The first of many sessions in the order of R-RT-6, found by looking at each once.
///
/// The source of an event comes first; then active before inactive before background before
/// archived; then the larger activation counter; then the smaller identifier.
struct SessionChoice {
  private let role: UInt8
  private let source: SessionHandle?
  private let identifier: (SessionHandle) -> SessionIdentifier
  private var bestRecord = SessionLedger.Record()
  private(set) var best: SessionHandle?

  /// Begins a choice among the open sessions of a role; identifiers are looked up on ties only.
  init(
    role: UInt8, source: SessionHandle?,
    identifier: @escaping (SessionHandle) -> SessionIdentifier
  ) {
    self.role = role
    self.source = source
    self.identifier = identifier
  }

  /// Takes a session if it comes before the one that was best so far.
  mutating func consider(_ handle: SessionHandle, _ record: SessionLedger.Record) {
    guard isBetter(handle, record) else { return }
    best = handle
    bestRecord = record
  }

  /// Tells whether a session would be taken.
  func isBetter(_ handle: SessionHandle, _ record: SessionLedger.Record) -> Bool {
    guard record.state.isOpen, record.role == role else { return false }
    guard let best else { return true }
    if best == source { return false }
    if handle == source { return true }
    if record.rank != bestRecord.rank { return record.rank < bestRecord.rank }
    if record.lastActivated != bestRecord.lastActivated {
      return record.lastActivated > bestRecord.lastActivated
    }
    return identifier(handle) < identifier(best)
  }
}
