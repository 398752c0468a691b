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
