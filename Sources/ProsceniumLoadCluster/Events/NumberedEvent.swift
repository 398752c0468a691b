// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium

  /// An event of 256 bytes that says which of its session's events it is, and when it was due.
  struct NumberedEvent {
    private static let size = 256

    /// 1 for the first event of a session.
    let number: Int
    /// By the clock that all processes of this machine share, in nanoseconds.
    let time: UInt64

    /// The time by that clock.
    static var now: UInt64 { UInt64(ProcessInfo.processInfo.systemUptime * 1e9) }

    init(number: Int, time: UInt64) {
      (self.number, self.time) = (number, time)
    }

    /// Reads a message; nil for any other one.
    init?(_ message: SceneMessage) {
      guard message.count == Self.size else { return nil }
      self = message.withBytes { bytes in
        unsafe NumberedEvent(
          number: Int(
            truncatingIfNeeded: UInt64(littleEndian: bytes.unsafeLoadUnaligned(as: UInt64.self))),
          time: UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)))
      }
    }

    var message: SceneMessage {
      var bytes = [UInt8](repeating: 0, count: Self.size)
      for place in 0..<8 {
        bytes[place] = UInt8(truncatingIfNeeded: number >> (8 * place))
        bytes[8 + place] = UInt8(truncatingIfNeeded: time >> (8 * UInt64(place)))
      }
      return SceneMessage(bytes)
    }
  }
#endif
