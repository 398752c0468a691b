// SPDX-License-Identifier: Apache-2.0

/// How sessions of a role treat their clients.
///
/// Values outside their range are brought to the nearest one inside.
public struct ClientRules: Sendable, Hashable {
  /// What becomes of a client that attaches to a session while another one is attached.
  public enum SecondClient: Sendable, Hashable {
    /// It takes the other one's place, whose line ends; the default.
    case takesOver
    /// It is refused with ``SceneError/Code/clientRefused``.
    case isRefused
    /// It watches: it receives frames and sends no input.
    case watches
  }

  /// What becomes of a client that attaches while another one is attached.
  public var secondClient = SecondClient.takesOver

  /// How long the scene stays in the foreground after the line of its client was lost: 0 to 1 hour.
  public var gracePeriod = Duration.seconds(10)

  /// How long the output of a session is kept after the scene has left the foreground because its
  /// client did not come back: 0 to 1 day.
  public var keepingPeriod = Duration.seconds(300)

  /// After how long a session ends that has no client and that nothing is sent to: 1 second to 10
  /// years, or `nil` for never.
  ///
  /// See ``LifecycleEvent/Reason/expired``.
  public var expiry: Duration?

  /// How many frames are kept of a session until its clients acknowledge them: 1 to 65,536.
  public var frameLimit = 1_024

  /// How many bytes these frames may have: that of one message to 64 MiB.
  public var frameByteLimit = 1 << 20

  /// Creates rules in which everything has its default value.
  public init() {}

  /// The rules with every limit inside its range.
  var inRange: ClientRules {
    var rules = self
    rules.gracePeriod = min(max(gracePeriod, .zero), .seconds(3_600))
    rules.keepingPeriod = min(max(keepingPeriod, .zero), .seconds(86_400))
    rules.expiry = expiry.map { min(max($0, .seconds(1)), .seconds(315_576_000)) }
    rules.frameLimit = min(max(frameLimit, 1), 65_536)
    rules.frameByteLimit = min(max(frameByteLimit, SceneMessage.sizeLimit), 64 << 20)
    return rules
  }
}
