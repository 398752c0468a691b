// SPDX-License-Identifier: Apache-2.0

/// An item of a tab bar.
@MainActor
open class UITabBarItem: UIBarItem {
  /// Its image while it is selected.
  open var selectedImage: UIImage?
  /// The text of its badge.
  open var badgeValue: String?
  /// The colour of its badge.
  open var badgeColor: UIColor?

  /// Makes an item.
  public convenience init(title: String?, image: UIImage?, tag: Int) {
    self.init()
    self.title = title
    self.image = image
    self.tag = tag
  }

  /// Makes an item.
  public convenience init(title: String?, image: UIImage?, selectedImage: UIImage?) {
    self.init(title: title, image: image, tag: 0)
    self.selectedImage = selectedImage
  }

  /// Makes an item of the system, which has no text here.
  public convenience init(tabBarSystemItem systemItem: SystemItem, tag: Int) {
    self.init(title: nil, image: nil, tag: tag)
  }

  /// An item of the system.
  public enum SystemItem: Int, Sendable {
    /// What there is more.
    case more
    /// What the user likes.
    case favorites
    /// What was chosen for the user.
    case featured
    /// What has many votes.
    case topRated
    /// What was used last.
    case recents
    /// Those who can be called.
    case contacts
    /// What was done.
    case history
    /// What was marked.
    case bookmarks
    /// The search.
    case search
    /// What is being fetched.
    case downloads
    /// What came last.
    case mostRecent
    /// What is looked at most.
    case mostViewed
  }

  /// Returns the proxy that holds how items of tab bars should look.
  open class func appearance() -> UITabBarItem { Proxies.of { UITabBarItem() } }
}
