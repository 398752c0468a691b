// SPDX-License-Identifier: Apache-2.0

/// What a user was doing: what a scene is asked to continue, and what is captured to restore it.
///
/// An activity is a value of one word; copies share their storage until one of them is changed.
///
/// Equality is that of the contents, and immediate for copies. The two identifiers are compared
/// byte by byte, as they are when an activity is routed; other texts as Swift compares strings.
public struct UserActivity: Sendable, Hashable {
  /// Exactly one element: an array is copied on write and checked to be `Sendable`, where a class
  /// that can be changed in place would have to be trusted.
  private var contents: [Contents]

  fileprivate struct Contents: Sendable {
    let activityType: String
    var title: String?
    var userInfo: [String: Value]
    var targetContentIdentifier: String?
    var webpageURL: String?
  }

  /// Makes an activity.
  ///
  /// - Parameters:
  ///   - activityType: The kind of activity, by custom in reverse-DNS style.
  ///   - title: A title for people.
  ///   - userInfo: What is needed to continue the activity.
  ///   - targetContentIdentifier: What the activity shows, for routing.
  ///   - webpageURL: The text of the URL of a page that shows the same.
  public init(
    _ activityType: String, title: String? = nil, userInfo: [String: Value] = [:],
    targetContentIdentifier: String? = nil, webpageURL: String? = nil
  ) {
    contents = [
      Contents(
        activityType: activityType, title: title, userInfo: userInfo,
        targetContentIdentifier: targetContentIdentifier, webpageURL: webpageURL)
    ]
  }

  /// The kind of activity; it stays the same for good.
  public var activityType: String { contents[0].activityType }

  /// A title for people, or nil.
  public var title: String? {
    get { contents[0].title }
    set { contents[0].title = newValue }
  }

  /// What is needed to continue the activity, empty by default (R-SR-9).
  public var userInfo: [String: Value] {
    get { contents[0].userInfo }
    // Changes an entry in place; with a setter each change would copy the dictionary.
    _modify { yield &contents[0].userInfo }
  }

  /// What the activity shows, or nil; the first choice of what routing compares with predicates.
  public var targetContentIdentifier: String? {
    get { contents[0].targetContentIdentifier }
    set { contents[0].targetContentIdentifier = newValue }
  }

  /// The text of the URL of a page that shows the same, or nil.
  ///
  /// It is a text since routing compares it byte by byte with predicates: a parsed URL may spell
  /// itself differently from what came in. Nothing checks that it is a URL.
  public var webpageURL: String? {
    get { contents[0].webpageURL }
    set { contents[0].webpageURL = newValue }
  }

  /// What routing compares with predicates, or nil if the activity names no content.
  package var routingIdentifier: String? { targetContentIdentifier ?? webpageURL }
}

extension UserActivity.Contents: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    left.activityType == right.activityType
      && sameBytes(left.targetContentIdentifier, right.targetContentIdentifier)
      && sameBytes(left.webpageURL, right.webpageURL)
      && left.title == right.title && left.userInfo == right.userInfo
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(activityType)
    hasher.combine(title)
    hasher.combine(userInfo)
    hasher.combine(targetContentIdentifier)
    hasher.combine(webpageURL)
  }

  private static func sameBytes(_ left: String?, _ right: String?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }
}
