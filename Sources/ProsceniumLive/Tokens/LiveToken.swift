// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What a token says: in whose name its bearer comes, for which session, and how long it holds.
public struct LiveToken: Sendable, Hashable {
  /// The user.
  public var owner: String

  /// The only session that the token is good for, or `nil` for all of the user.
  public var session: SessionIdentifier?

  /// When it ends, in seconds since 1970.
  public var expiry: UInt64

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - owner: The user, up to ``SceneSession/ownerSizeLimit`` bytes.
  ///   - session: The only session that it is good for; nil for all of the user.
  ///   - expiry: When it ends, in seconds since 1970.
  public init(owner: String, session: SessionIdentifier? = nil, expiry: UInt64) {
    self.owner = owner
    self.session = session
    self.expiry = expiry
  }
}

// What is signed: a version, the expiry, whether there is a session and which, and the owner.
extension LiveToken {
  private static let version: UInt8 = 1
  private static let headSize = 1 + 8 + 1 + 16

  var bytes: [UInt8] {
    var bytes = [Self.version]
    bytes.append(word: expiry)
    bytes.append(session == nil ? 0 : 1)
    bytes.append(word: session?.high ?? 0)
    bytes.append(word: session?.low ?? 0)
    return bytes + owner.utf8
  }

  /// Reads a token; nil if the bytes are none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headSize, bytes[0] == Self.version, bytes[9] <= 1,
      let owner = String(validating: bytes[Self.headSize...], as: UTF8.self)
    else { return nil }
    let session = SessionIdentifier(high: Self.word(bytes[10..<18]), low: Self.word(bytes[18..<26]))
    self.init(
      owner: owner, session: bytes[9] == 1 ? session : nil, expiry: Self.word(bytes[1..<9]))
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(word: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
