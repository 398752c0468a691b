// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium

  /// An event of 256 bytes that says which of its session's events it is.
  struct EventMessage {
    private static let size = 256
    /// The first byte, which no other message of a trial has.
    private static let mark: UInt8 = 2

    /// 1 for the first event of a session.
    let number: Int

    init(number: Int) {
      self.number = number
    }

    /// Reads a message; nil for any other one.
    init?(_ message: SceneMessage) {
      let number = message.withBytes { bytes -> UInt64? in
        guard bytes.byteCount == Self.size,
          unsafe bytes.unsafeLoad(as: UInt8.self) == Self.mark
        else { return nil }
        return (0..<8).reduce(0) { number, place in
          number | UInt64(unsafe bytes.unsafeLoad(fromByteOffset: 1 + place, as: UInt8.self))
            << UInt64(8 * place)
        }
      }
      guard let number else { return nil }
      self.init(number: Int(truncatingIfNeeded: number))
    }

    var message: SceneMessage {
      let number = UInt64(number)
      return SceneMessage(
        [Self.mark] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
          + [UInt8](repeating: 0, count: Self.size - 9))
    }
  }
#endif
