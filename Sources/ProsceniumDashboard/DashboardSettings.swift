// SPDX-License-Identifier: Apache-2.0

/// How a dashboard is served: its port, who may act, and its limits.
///
/// Values outside their range are brought to the nearest one inside.
public struct DashboardSettings: Sendable {
  /// The port on 127.0.0.1, or 0 for any that is free; the default.
  public var port: UInt16 = 0

  /// The token that an action needs; `nil`, the default, disables actions.
  public var token: DashboardToken?

  /// The title of the page, up to 200 Unicode scalars.
  public var title = "Proscenium"

  /// How many pages may be open at once, 1 to 64.
  public var pageLimit = 8

  /// How many sessions are shown as cards, 4 to 240; all of them are counted.
  public var cardLimit = 60

  /// How much time lies between two updates: a tenth of a second to a minute.
  public var period = Duration.seconds(1)

  /// How many scenes one action may disconnect or connect, 1 to 100,000.
  public var actionLimit = 1_000

  /// Which of `ApplicationSettings.snapshotVariants` the cards show, or `nil` where
  /// there are none.
  public var snapshotVariant: String?

  /// Style rules that the charts need, after the page's own.
  public var additionalStyle = ""

  /// Creates settings under which every local user can read the page and actions are disabled.
  public init() {}

  /// The settings with every value inside its range.
  var bounded: DashboardSettings {
    var settings = self
    settings.pageLimit = min(max(pageLimit, 1), 64)
    settings.cardLimit = min(max(cardLimit, 4), 240)
    settings.period = min(max(period, .milliseconds(100)), .seconds(60))
    settings.actionLimit = min(max(actionLimit, 1), 100_000)
    settings.title = PageText.limited(title, to: 200)
    return settings
  }
}

/// What a page shows to be allowed to act: 128 random bits.
///
/// The program that mounts a dashboard makes a token for each run and prints its ``text`` for the
/// person who is to act. Its description hides it, so that it does not come into logs by chance.
public struct DashboardToken: Sendable, CustomStringConvertible {
  /// The token as 32 lower-case hexadecimal digits.
  public let text: String

  /// Draws a token.
  ///
  /// - Parameter random: Where the bits come from. Outside of tests they must be
  ///   unpredictable: `SystemRandomNumberGenerator`.
  public init(using random: inout some RandomNumberGenerator) {
    let halves = [random.next(), random.next()]
    text = halves.map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }

  /// A word instead of the token.
  public var description: String { "DashboardToken" }

  /// Tells whether a text is the token, in a time that does not depend on where they differ.
  func matches(_ candidate: String) -> Bool {
    let expected = Array(text.utf8)
    let given = Array(candidate.utf8.prefix(expected.count + 1))
    var difference = given.count ^ expected.count
    for (index, byte) in expected.enumerated() {
      difference |= Int(byte ^ (index < given.count ? given[index] : 0))
    }
    return difference == 0
  }
}
