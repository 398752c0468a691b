// SPDX-License-Identifier: Apache-2.0

/// A frame of a WebSocket as a client sends it, right or wrong.
struct WireFrame: Sendable {
  static let continuation: UInt8 = 0
  static let text: UInt8 = 1
  static let binary: UInt8 = 2
  static let close: UInt8 = 8
  static let ping: UInt8 = 9
  static let pong: UInt8 = 10

  var opcode: UInt8
  var payload: [UInt8]
  var isLast = true
  var reservedBits: UInt8 = 0
  var mask: [UInt8]? = [0x12, 0x34, 0x56, 0x78]
  /// The length that it says it has, if not that of its payload.
  var announced: UInt64?

  init(_ opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true) {
    self.opcode = opcode
    self.payload = payload
    self.isLast = isLast
  }

  init(text: String) {
    self.init(Self.text, Array(text.utf8))
  }

  func with(_ change: (inout WireFrame) -> Void) -> WireFrame {
    var frame = self
    change(&frame)
    return frame
  }

  var bytes: [UInt8] {
    let length = announced ?? UInt64(payload.count)
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    var bytes = [(isLast ? 0x80 : 0) | reservedBits << 4 | opcode]
    switch length {
    case ...125: bytes.append(maskBit | UInt8(length))
    case ...0xFFFF: bytes += [maskBit | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
    default:
      bytes.append(maskBit | 127)
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: length >> shift))
      }
    }
    guard let mask else { return bytes + payload }
    bytes += mask
    if mask == [0, 0, 0, 0] { return bytes + payload }
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index & 3]) }
    return bytes
  }

  /// Reads a frame of a server from the beginning of some bytes; nil if it is not all there.
  static func read(_ bytes: ArraySlice<UInt8>) -> (frame: WireFrame, size: Int)? {
    guard bytes.count >= 2 else { return nil }
    let start = bytes.startIndex
    var length = Int(bytes[start + 1] & 0x7F)
    var head = 2
    if length >= 126 {
      let size = length == 126 ? 2 : 8
      guard bytes.count >= 2 + size else { return nil }
      length = bytes[start + 2..<start + 2 + size].reduce(0) { $0 << 8 | Int($1) }
      head += size
    }
    guard bytes.count >= head + length else { return nil }
    let payload = Array(bytes[start + head..<start + head + length])
    let frame = WireFrame(bytes[start] & 0x0F, payload, isLast: bytes[start] & 0x80 != 0)
    return (frame, head + length)
  }
}
