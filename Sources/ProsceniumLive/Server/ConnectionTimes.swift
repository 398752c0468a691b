// SPDX-License-Identifier: Apache-2.0

/// When something is due for a connection: a ping, a new token, its end.
///
/// Times are seconds since the server began; those of tokens are seconds since 1970.
struct ConnectionTimes: Sendable {
  /// How long things may take, in seconds.
  struct Limits: Sendable {
    let request: Int
    let ping: Int
    let stall: Int
  }

  /// What a connection is used for.
  enum Phase: Sendable {
    case request
    case line
    /// The last message is written; the other side is to close.
    case closing
  }

  /// What is due.
  enum Due: Sendable, Equatable {
    case ping
    case renewal
    case end(RefusalCause?)
    /// It does not close by itself.
    case abort
  }

  /// How long a closing connection may take, in seconds.
  static let closingLimit = 3

  private(set) var phase = Phase.request
  private var lastHeard: Int
  private var pinged: Int?
  private var stalled: Int?
  private var renewal = UInt64.max
  private var expiry = UInt64.max

  init(now: Int) {
    lastHeard = now
  }

  /// Something has come from the other side.
  mutating func hear(_ now: Int) {
    // What it says after its end does not put that off.
    guard phase != .closing else { return }
    lastHeard = now
    pinged = nil
  }

  /// The connection is a line from now on, for as long as a token is good.
  mutating func becomeLine(_ now: Int, date: UInt64, until expiry: UInt64) {
    phase = .line
    hear(now)
    setExpiry(expiry, date: date)
  }

  /// The token is good until a date.
  mutating func setExpiry(_ expiry: UInt64, date: UInt64) {
    self.expiry = expiry
    renewal = date + (max(expiry, date) - date) / 2
  }

  mutating func close(_ now: Int) {
    phase = .closing
    lastHeard = now
  }

  /// Whether what is written goes out.
  mutating func setWritable(_ isWritable: Bool, _ now: Int) {
    stalled = isWritable ? nil : stalled ?? now
  }

  /// What is due now, if something is.
  mutating func due(_ now: Int, date: UInt64, _ limits: Limits) -> Due? {
    switch phase {
    case .closing: return now - lastHeard >= Self.closingLimit ? .abort : nil
    case .request: return now - lastHeard >= limits.request ? .abort : nil
    case .line: break
    }
    if let stalled, now - stalled >= limits.stall { return .end(.neverReads) }
    if date >= expiry { return .end(.expiredToken) }
    if date >= renewal {
      renewal = .max
      return .renewal
    }
    if let pinged { return now - pinged >= limits.ping ? .end(.silent) : nil }
    guard now - lastHeard >= limits.ping else { return nil }
    pinged = now
    return .ping
  }
}
