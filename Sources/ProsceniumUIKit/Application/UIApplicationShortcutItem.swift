// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import Proscenium

/// A quick action of the program's icon.
open class UIApplicationShortcutItem: NSObject, NSCopying, NSMutableCopying {
  /// Which action it is.
  public fileprivate(set) var type: String

  /// The title that the user sees.
  public fileprivate(set) var localizedTitle: String

  /// A second line.
  public fileprivate(set) var localizedSubtitle: String?

  /// An image.
  public fileprivate(set) var icon: UIApplicationShortcutIcon?

  /// What the action needs besides its type.
  public fileprivate(set) var userInfo: [String: any NSSecureCoding]?

  /// What the action shows, for routing; a text counts, and nothing else.
  public fileprivate(set) var targetContentIdentifier: Any?

  /// Makes an action.
  public init(
    type: String, localizedTitle: String, localizedSubtitle: String?,
    icon: UIApplicationShortcutIcon?, userInfo: [String: any NSSecureCoding]? = nil
  ) {
    self.type = type
    self.localizedTitle = localizedTitle
    self.localizedSubtitle = localizedSubtitle
    self.icon = icon
    self.userInfo = userInfo
    super.init()
  }

  /// Makes an action without anything else.
  public convenience init(type: String, localizedTitle: String) {
    self.init(
      type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil, userInfo: nil)
  }

  /// Makes the object of a value.
  convenience init(_ item: ShortcutItem) {
    self.init(
      type: item.type, localizedTitle: item.localizedTitle, localizedSubtitle: nil, icon: nil,
      userInfo: item.userInfo.compactMapValues(\.codingObject))
    targetContentIdentifier = item.targetContentIdentifier
  }

  /// Makes an action of the same parts.
  ///
  /// - Returns: One whose parts cannot be set.
  open func copy(with zone: NSZone? = nil) -> Any { filled(UIApplicationShortcutItem.init) }

  /// Makes an action of the same parts.
  ///
  /// - Returns: One whose parts can be set.
  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    filled(UIMutableApplicationShortcutItem.init)
  }

  private func filled(
    _ make: (String, String, String?, UIApplicationShortcutIcon?, [String: any NSSecureCoding]?) ->
      UIApplicationShortcutItem
  ) -> UIApplicationShortcutItem {
    let copy = make(type, localizedTitle, localizedSubtitle, icon, userInfo)
    copy.targetContentIdentifier = targetContentIdentifier
    return copy
  }

  /// The action as the runtime routes it.
  package var value: ShortcutItem {
    ShortcutItem(
      type, localizedTitle: localizedTitle,
      targetContentIdentifier: targetContentIdentifier as? String,
      userInfo: UserInfo(userInfo ?? [:], of: "UIApplicationShortcutItem.userInfo").values)
  }
}

@available(*, unavailable)
extension UIApplicationShortcutItem: Sendable {}

/// A quick action whose parts can be set.
open class UIMutableApplicationShortcutItem: UIApplicationShortcutItem {
  /// Which action it is.
  open override var type: String {
    get { super.type }
    set { super.type = newValue }
  }

  /// The title that the user sees.
  open override var localizedTitle: String {
    get { super.localizedTitle }
    set { super.localizedTitle = newValue }
  }

  /// A second line.
  open override var localizedSubtitle: String? {
    get { super.localizedSubtitle }
    set { super.localizedSubtitle = newValue }
  }

  /// An image.
  open override var icon: UIApplicationShortcutIcon? {
    get { super.icon }
    set { super.icon = newValue }
  }

  /// What the action needs besides its type.
  open override var userInfo: [String: any NSSecureCoding]? {
    get { super.userInfo }
    set { super.userInfo = newValue }
  }

  /// What the action shows, for routing.
  open override var targetContentIdentifier: Any? {
    get { super.targetContentIdentifier }
    set { super.targetContentIdentifier = newValue }
  }
}

/// The image of a quick action; nothing draws it.
open class UIApplicationShortcutIcon: NSObject {
  /// The images that the system has.
  public enum IconType: Int, Sendable {
    /// A pen on paper.
    case compose
    /// A triangle.
    case play
    /// Two bars.
    case pause
    /// A plus.
    case add
    /// An arrow.
    case location
    /// A magnifying glass.
    case search
    /// An arrow out of a box.
    case share
    /// A cross in a circle.
    case prohibit
    /// A person.
    case contact
    /// A house.
    case home
    /// A pin.
    case markLocation
    /// A star.
    case favorite
    /// A heart.
    case love
    /// A cloud.
    case cloud
    /// An envelope.
    case invitation
    /// A tick in a circle.
    case confirmation
    /// A letter.
    case mail
    /// A speech bubble.
    case message
    /// A calendar.
    case date
    /// A clock.
    case time
    /// A camera.
    case capturePhoto
    /// A film camera.
    case captureVideo
    /// A list.
    case task
    /// A list with a tick.
    case taskCompleted
    /// A bell.
    case alarm
    /// A page.
    case bookmark
    /// Two arrows.
    case shuffle
    /// A speaker.
    case audio
    /// Arrows in a circle.
    case update
  }

  /// Makes an image of the system's.
  public convenience init(type: IconType) {
    self.init()
  }

  /// Makes an image of the program's.
  public convenience init(templateImageName: String) {
    self.init()
  }

  /// Makes a symbol of the system's.
  public convenience init(systemImageName: String) {
    self.init()
  }
}

@available(*, unavailable)
extension UIApplicationShortcutIcon: Sendable {}
