// SPDX-License-Identifier: Apache-2.0

public import Proscenium
@_exported public import ProsceniumSealing

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Gives out tokens, and recognises them.
///
/// A token is what a bearer needs to attach to a session; the identifier of a session gives no
/// rights. It is signed by HMAC with SHA-256, under a key that is derived from the application's
/// key. While keys are rotated, tokens of both are good. A token is never part of an address, a log
/// or a metric.
public struct LiveTokens: Sendable {
  /// Why a text is not a good token.
  public enum Refusal: Error, Sendable, Hashable {
    /// It is no token, or one of another key.
    case unknown
    /// It was changed.
    case forged
    /// Its time is over.
    case expired
  }

  private let keys: SigningKeys
  private let wallClock: @Sendable () -> Date

  /// Makes what gives out tokens.
  ///
  /// - Parameters:
  ///   - keys: The application's keys; they are read once.
  ///   - wallClock: The date by which tokens end; the system's unless given.
  /// - Throws: What the provider of the keys throws.
  public init(
    _ keys: some KeyProvider,
    wallClock: @escaping @Sendable () -> Date = ApplicationSettings().wallClock
  ) throws(SealingError) {
    self.keys = SigningKeys(try keys.keys())
    self.wallClock = wallClock
  }

  /// Makes a token.
  ///
  /// - Parameters:
  ///   - owner: The user.
  ///   - session: The only session that it is good for; nil for all of the user.
  ///   - lifetime: How long it holds, in whole seconds.
  /// - Returns: Hexadecimal digits, two for each of about 70 bytes.
  public func make(
    owner: String, session: SessionIdentifier? = nil, lifetime: Duration
  ) -> String {
    let seconds = UInt64(max(lifetime.components.seconds, 0))
    return text(of: LiveToken(owner: owner, session: session, expiry: now &+ seconds))
  }

  /// Recognises a token.
  ///
  /// - Parameter text: What a bearer has shown.
  /// - Returns: What it says.
  /// - Throws: Why it is not good.
  public func read(_ text: some StringProtocol) throws(Refusal) -> LiveToken {
    guard let bytes = Self.bytes(text), bytes.count > SigningKeys.signatureSize else {
      throw .unknown
    }
    let message = Array(bytes.dropLast(SigningKeys.signatureSize))
    do throws(SigningKeys.Refusal) {
      try keys.check(bytes.suffix(SigningKeys.signatureSize), of: message)
    } catch {
      throw error == .forged ? .forged : .unknown
    }
    guard let token = LiveToken(message) else { throw .unknown }
    guard token.expiry > now else { throw .expired }
    return token
  }

  /// The time, in seconds since 1970.
  var now: UInt64 { UInt64(max(wallClock().timeIntervalSince1970, 0)) }

  func text(of token: LiveToken) -> String {
    let message = token.bytes
    let digits = Array("0123456789abcdef".utf8)
    let bytes = (message + keys.signature(of: message)).flatMap {
      [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// How many digits a token may have.
  private static let lengthLimit =
    2 * (SceneSession.ownerSizeLimit + SigningKeys.signatureSize + 32)

  private static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8
    guard digits.count <= lengthLimit, digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x61...0x66: value = digit - 0x57
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}
