// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import Proscenium

/// The activity type of a link that the user opened.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// What names an activity among others of its type.
public typealias NSUserActivityPersistentIdentifier = String

/// What a user was doing: what a scene is asked to continue, and what is captured to restore it.
open class NSUserActivity: NSObject {
  /// The activity as the runtime keeps it.
  package private(set) var value: UserActivity

  /// The kind of activity; it stays the same.
  public var activityType: String { value.activityType }

  /// What is told before the activity is saved.
  open weak var delegate: (any NSUserActivityDelegate)?

  /// Makes an activity of a kind.
  public init(activityType: String) {
    value = UserActivity(activityType)
    super.init()
  }

  /// Makes the object of a value.
  init(_ value: UserActivity) {
    self.value = value
    super.init()
  }

  /// A title for people.
  open var title: String? {
    get { value.title }
    set { value.title = newValue }
  }

  /// What is needed to continue the activity (R-SR-9).
  ///
  /// Numbers come back as numbers of any type but `CGFloat`. A value that cannot be kept is left
  /// out, and the device's next call throws a fault that names it.
  open var userInfo: [AnyHashable: Any]? {
    get {
      let values = value.userInfo
      return Dictionary(uniqueKeysWithValues: values.map { (AnyHashable($0), $1.object) })
    }
    set {
      value.userInfo = UserInfo(newValue ?? [:], of: "NSUserActivity.userInfo").values
    }
  }

  /// Adds entries to the dictionary; of two with the same key the new one stays.
  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    value.addUserInfoEntries(
      from: UserInfo(otherDictionary, of: "NSUserActivity.userInfo").values)
  }

  /// The keys without which the activity cannot be continued.
  open var requiredUserInfoKeys: Set<String>? {
    get { value.requiredUserInfoKeys }
    set { value.requiredUserInfoKeys = newValue ?? [] }
  }

  /// What the activity shows, for routing.
  open var targetContentIdentifier: String? {
    get { value.targetContentIdentifier }
    set { value.targetContentIdentifier = newValue }
  }

  /// A page that shows the same.
  open var webpageURL: URL? {
    get { value.webpageURL.flatMap { URL(string: $0) } }
    set { value.webpageURL = newValue?.absoluteString }
  }

  /// What names the activity among others of its type.
  open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
    get { value.persistentIdentifier }
    set { value.persistentIdentifier = newValue }
  }

  /// When the activity is of no use any more.
  open var expirationDate: Date? {
    get { value.expirationDate }
    set { value.expirationDate = newValue }
  }

  /// Whether something is to be written to the activity before it is saved.
  ///
  /// The responders that have it are asked for it at the next capture; its delegate is asked at
  /// each.
  open var needsSave: Bool {
    get { value.needsSave }
    set { value.needsSave = newValue }
  }

  // MARK: - What is held

  /// Where the page was reached from; held.
  open var referrerURL: URL?

  /// Words by which the activity is found; held, not kept with the scene.
  open var keywords: Set<String> = []

  /// Whether other devices may continue the activity; held.
  open var isEligibleForHandoff = true

  /// Whether the activity may be found on the device; held.
  open var isEligibleForSearch = false

  /// Whether the activity may be found by everybody; held.
  open var isEligibleForPublicIndexing = false

  /// Whether the system may suggest the activity; held.
  open var isEligibleForPrediction = false

  /// Whether data may follow in streams; held.
  open var supportsContinuationStreams = false

  /// Says that this is what the user is doing now; no other device is told.
  open func becomeCurrent() {}

  /// Says that the user is doing something else now; no other device is told.
  open func resignCurrent() {}

  /// Says that the activity is over; no other device is told.
  open func invalidate() {}

  /// Empties the dictionary, for those who write to it at a capture (R-UA-1).
  func empty() {
    value.userInfo = [:]
  }
}

@available(*, unavailable)
extension NSUserActivity: Sendable {}
