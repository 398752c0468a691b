// SPDX-License-Identifier: Apache-2.0

package import Proscenium
package import ProsceniumSealing

extension StoreError {
  /// What sealing refuses.
  package init(_ error: SealingError, session: SessionIdentifier? = nil) {
    self.init(Code(rawValue: error.code.rawValue), session: session, error.message)
  }

  /// Runs what seals or opens something of a session.
  package static func sealing<Success: ~Copyable>(
    _ session: SessionIdentifier? = nil, _ body: () throws(SealingError) -> Success
  ) throws(StoreError) -> Success {
    do throws(SealingError) {
      return try body()
    } catch {
      throw StoreError(error, session: session)
    }
  }
}

extension RecordPlace {
  /// The place of a session's saved state.
  package init(stateOf session: SessionIdentifier, version: UInt64) {
    self.init(
      kind: 1, session: (session.high, session.low),
      epoch: UInt32(truncatingIfNeeded: version >> 40), version: version)
  }
}
