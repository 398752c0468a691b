// SPDX-License-Identifier: Apache-2.0

public import Logging
public import Proscenium
public import ProsceniumSealing

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a ``LiveServer`` serves: where, whom, and how much.
///
/// Numbers and durations outside their range are brought to the nearest one inside.
public struct LiveSettings: Sendable {
  /// Where a server listens.
  public enum Place: Sendable, Hashable {
    /// An address of this machine, and a port: 0 for any that is free.
    case address(String, port: Int)
    /// A socket that listens already: a supervisor keeps it open while the server is restarted, so
    /// that connections wait instead of being refused.
    case inherited(descriptor: Int32)
  }

  /// Where the server listens; only this machine reaches it unless set.
  public var place = Place.address("127.0.0.1", port: 8_080)

  /// The names by which browsers reach the server, with the port if it is not the usual one, such
  /// as `example.org`.
  ///
  /// Requests that name another host are refused with status 421. Unless set, they are the
  /// addresses of this machine alone.
  public var hosts: [String] = []

  /// The addresses of the proxies in front of the server: what they say of a browser's address, and
  /// whether it came over TLS (`X-Forwarded-For`, `-Proto`, `-Host`), is believed.
  public var proxies: [String] = []

  /// Where the key comes from that signs tokens.
  public var keys: any KeyProvider

  /// For how long a token is good: 1 minute to 1 year.
  ///
  /// It is renewed when half of that is over.
  public var tokenLifetime = Duration.seconds(30 * 86_400)

  /// Names the user that a request comes from, `nil` for one that may not come in; it is asked when
  /// a browser has no token, and when a token is renewed.
  ///
  /// Without it each browser is a user of its own, with a random name that its token holds.
  public var identifyUser: (@Sendable (LiveRequest) async -> String?)?

  /// The role of the sessions that are made for tabs.
  public var role = SceneSession.Role.windowApplication

  /// What the tab is called until its page says otherwise.
  public var title = "Proscenium"

  /// The language of the pages, as `lang` has it.
  public var language = "en"

  /// Paths of style sheets that the pages load, after the host's own.
  public var styleSheets: [String] = []

  /// Says where pages find the line of another node of a cluster, by what that node is called in
  /// its settings: a path of the pages' own site, such as `/b/line`, by which the proxy in front
  /// reaches that node's `/line`.
  ///
  /// A page whose session is at another node goes on there. Without it, or for `nil`, it comes back
  /// by the path that it has: the proxy has to know the node then.
  public var lineOfNode: (@Sendable (_ address: String) -> String?)?

  /// Answers requests for paths that are not the host's own; `nil` for none of them.
  ///
  /// The host has the paths `/`, `/s/…`, `/line`, `/renew`, `/live.js` and `/live.css`. Requests
  /// other than `GET` and `HEAD` are passed on only if they come from the host's own pages.
  public var respond: (@Sendable (LiveRequest) async -> LiveResponse?)?

  /// How many connections there may be, 1 to 1,000,000; more are closed at once.
  public var connectionLimit = 50_000

  /// How many messages a client may send in a second, 1 to 100,000; it may send four times as many
  /// at once.
  public var messageRate = 100

  /// After how long without a message a client is sent a ping: 1 second to 1 hour.
  ///
  /// One that does not answer for as long is gone.
  public var pingInterval = Duration.seconds(25)

  /// How long a client may read nothing while something waits for it: 1 second to 1 hour.
  public var stallLimit = Duration.seconds(30)

  /// How long a request may take to come in, and a connection may be without one: 1 second to 1
  /// hour.
  public var requestLimit = Duration.seconds(20)

  /// The clock by which connections end.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// The date by which tokens end; the system's unless set.
  public var wallClock: @Sendable () -> Date = ApplicationSettings().wallClock

  /// Draws the names of users without one: 16 bytes that cannot be guessed.
  public var identifiers = SessionIdentifierSource.random

  /// Where it is said that requests are refused and connections ended.
  public var log = Logger(label: "proscenium.live")

  /// Creates settings in which everything else has its default value.
  ///
  /// - Parameter keys: Where the key comes from that signs tokens; it may be the store's.
  public init(keys: some KeyProvider) {
    self.keys = keys
  }

  /// The settings with every limit inside its range.
  var inRange: LiveSettings {
    var settings = self
    func bound(_ duration: Duration, _ range: ClosedRange<Int>) -> Duration {
      min(max(duration, .seconds(range.lowerBound)), .seconds(range.upperBound))
    }
    settings.tokenLifetime = bound(tokenLifetime, 60...31_622_400)
    settings.pingInterval = bound(pingInterval, 1...3_600)
    settings.stallLimit = bound(stallLimit, 1...3_600)
    settings.requestLimit = bound(requestLimit, 1...3_600)
    settings.connectionLimit = min(max(connectionLimit, 1), 1_000_000)
    settings.messageRate = min(max(messageRate, 1), 100_000)
    return settings
  }
}
