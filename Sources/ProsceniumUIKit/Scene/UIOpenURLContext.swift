// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

/// A URL that a scene is asked to open, and how.
@MainActor
public final class UIOpenURLContext: NSObject {
  /// The URL.
  public let url: URL

  /// Who opens it, and how its file may be used.
  public let options: UIScene.OpenURLOptions

  init(url: URL, options: UIScene.OpenURLOptions) {
    self.url = url
    self.options = options
    super.init()
  }

  /// Makes the object of a URL, or nil, with a fault, if its text is none.
  convenience init?(_ context: OpenURLContext) {
    guard let url = URL(string: context.url) else {
      Faults.note("expected the text of a URL to open, found \"\(context.url)\"")
      return nil
    }
    self.init(url: url, options: UIScene.OpenURLOptions(context.options))
  }
}

extension UIScene {
  /// Who opens a URL, and how its file may be used.
  @MainActor
  public final class OpenURLOptions: NSObject {
    /// The program that asks, if it is known.
    public let sourceApplication: String?

    /// What that program wants to say about the URL.
    public let annotation: Any?

    /// Whether the file may be used where it is; if not, it is to be copied first.
    public let openInPlace: Bool

    init(_ options: Proscenium.OpenURLOptions) {
      sourceApplication = options.sourceApplication
      annotation = options.annotation?.object
      openInPlace = options.openInPlace
      super.init()
    }
  }

  /// How a URL is opened outside of the program; the device does not look at it.
  @MainActor
  open class OpenExternalURLOptions: NSObject {
    /// Whether a link is opened only by a program that has claimed it.
    open var universalLinksOnly = false

    /// Makes options.
    public override init() {
      super.init()
    }
  }
}
