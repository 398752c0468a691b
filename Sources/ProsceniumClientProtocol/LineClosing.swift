// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What a client is told last over its line: why it ends, and where the client is to go on.
package struct LineClosing: Sendable, Equatable {
  package let end: ClientEnd
  /// Where the session is served, if it is not here and that is known.
  package let address: String?

  init(_ end: ClientEnd) {
    self.end = end
    address = nil
  }

  init(after error: SceneError) {
    end = ClientEnd(error)
    address = error.code == .servedElsewhere ? error.address : nil
  }

  init(after reason: LineEnd) {
    end = ClientEnd(reason)
    address = if case .moved(let address) = reason { address } else { nil }
  }

  /// The messages that say so.
  package var messages: [HostMessage] {
    let move = address.flatMap { address in
      address.utf8.count <= ClientHello.addressLimit ? HostMessage.move(address) : nil
    }
    return [move, .end(end)].compactMap(\.self)
  }
}

extension ClientEnd {
  fileprivate init(_ error: SceneError) {
    switch error.code {
    case .clientRefused: self = .refused
    case .sessionNotOpen, .lost, .connectionFailed, .unresolvableConfiguration:
      self = .sessionEnded
    case .notRunning, .servedElsewhere: self = .hostEnded
    case .limitExceeded: self = .unreadable
    default: self = .busy
    }
  }

  fileprivate init(_ end: LineEnd) {
    switch end {
    case .takenOver: self = .takenOver
    case .sessionEnded: self = .sessionEnded
    case .applicationEnded, .moved: self = .hostEnded
    case .wrongInput(let expected): self = .wrongInput(expected: expected)
    case .outputTooLarge: self = .outputTooLarge
    }
  }
}
