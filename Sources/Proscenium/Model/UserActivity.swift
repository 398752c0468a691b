// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
    var userInfo: [String: UserInfoValue]
    var targetContentIdentifier: String?
    var webpageURL: String?
    var rare: Rare?
  }

  /// What few activities have.
  fileprivate final class Rare: Sendable {
    let persistentIdentifier: String?
    let requiredUserInfoKeys: Set<String>
    let expirationDate: Date?
    let needsSave: Bool
    let willSave: (@Sendable (inout UserActivity) -> Void)?

    init(
      persistentIdentifier: String? = nil, requiredUserInfoKeys: Set<String> = [],
      expirationDate: Date? = nil, needsSave: Bool = false,
      willSave: (@Sendable (inout UserActivity) -> Void)? = nil
    ) {
      self.persistentIdentifier = persistentIdentifier
      self.requiredUserInfoKeys = requiredUserInfoKeys
      self.expirationDate = expirationDate
      self.needsSave = needsSave
      self.willSave = willSave
    }
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
    _ activityType: String, title: String? = nil, userInfo: [String: UserInfoValue] = [:],
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
  public var userInfo: [String: UserInfoValue] {
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

  /// Adds entries to ``userInfo``; of two with the same key the new one stays.
  public mutating func addUserInfoEntries(from entries: [String: UserInfoValue]) {
    contents[0].userInfo.merge(entries) { _, new in new }
  }

  /// What names the activity among others of its type, or nil.
  public var persistentIdentifier: String? {
    get { contents[0].rare?.persistentIdentifier }
    set { change(persistentIdentifier: .some(newValue)) }
  }

  /// The keys of ``userInfo`` without which the activity cannot be continued.
  public var requiredUserInfoKeys: Set<String> {
    get { contents[0].rare?.requiredUserInfoKeys ?? [] }
    set { change(requiredUserInfoKeys: newValue) }
  }

  /// When the activity is of no use any more, or nil.
  public var expirationDate: Date? {
    get { contents[0].rare?.expirationDate }
    set { change(expirationDate: .some(newValue)) }
  }

  /// Whether something is still to be written to the activity before it is saved.
  ///
  /// A program sets it; the state capture takes it back. It is no part of the activity's content.
  public var needsSave: Bool {
    get { contents[0].rare?.needsSave ?? false }
    set { change(needsSave: newValue) }
  }

  /// Is called when the activity is captured, before anything else is written to it
  /// (`userActivityWillSave(_:)` of UIKit's activity delegate, R-BG-1).
  ///
  /// It is no part of the activity's content, and is not kept with it.
  public var willSave: (@Sendable (inout UserActivity) -> Void)? {
    get { contents[0].rare?.willSave }
    set { change(willSave: .some(newValue)) }
  }

  /// The activity as it is kept: without what is no part of its content.
  var forSaving: UserActivity {
    guard willSave != nil || needsSave else { return self }
    var saved = self
    saved.change(needsSave: false, willSave: .some(nil))
    return saved
  }

  /// Tells whether two activities share their storage; false does not mean that they differ.
  func isIdentical(to other: UserActivity) -> Bool { contents.isIdentical(to: other.contents) }

  private mutating func change(
    persistentIdentifier: String?? = nil, requiredUserInfoKeys: Set<String>? = nil,
    expirationDate: Date?? = nil, needsSave: Bool? = nil,
    willSave: (@Sendable (inout UserActivity) -> Void)?? = nil
  ) {
    let old = contents[0].rare ?? Rare()
    contents[0].rare = Rare(
      persistentIdentifier: persistentIdentifier ?? old.persistentIdentifier,
      requiredUserInfoKeys: requiredUserInfoKeys ?? old.requiredUserInfoKeys,
      expirationDate: expirationDate ?? old.expirationDate,
      needsSave: needsSave ?? old.needsSave, willSave: willSave ?? old.willSave)
  }

  /// What routing compares with predicates, or nil if the activity names no content.
  package var routingIdentifier: String? { targetContentIdentifier ?? webpageURL }
}

extension UserActivity {
  /// Tells whether two activities have the same contents.
  public static func == (left: Self, right: Self) -> Bool {
    // Titles differ most often, and are compared without a copy of all the rest.
    left.title == right.title && left.contents == right.contents
  }
}

extension UserActivity.Contents: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    left.activityType == right.activityType
      && sameBytes(left.targetContentIdentifier, right.targetContentIdentifier)
      && sameBytes(left.webpageURL, right.webpageURL)
      && left.title == right.title && left.userInfo == right.userInfo
      && left.rare?.persistentIdentifier == right.rare?.persistentIdentifier
      && (left.rare?.requiredUserInfoKeys ?? []) == (right.rare?.requiredUserInfoKeys ?? [])
      && left.rare?.expirationDate == right.rare?.expirationDate
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

extension Array {
  /// Tells whether two arrays are the same object; false does not mean that they differ.
  func isIdentical(to other: [Element]) -> Bool {
    unsafe withUnsafeBufferPointer { elements in
      unsafe other.withUnsafeBufferPointer { unsafe elements.baseAddress == $0.baseAddress }
    }
  }
}
