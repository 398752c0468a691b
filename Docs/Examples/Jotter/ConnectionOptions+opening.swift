// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  import UIKit

  extension UIScene.ConnectionOptions {
    /// What the window is opened for: of several things any, since sets have no order.
    var opening: Opening? {
      Opening(urlContexts.first?.url.absoluteString)
        ?? Opening(userActivities.first?.targetContentIdentifier)
        ?? Opening(shortcutItem?.targetContentIdentifier as? String)
    }
  }
#else
  import Proscenium

  extension Scene.ConnectionOptions {
    /// What the window is opened for.
    var opening: Opening? {
      Opening(urlContexts.first?.url)
        ?? Opening(userActivities.first?.targetContentIdentifier)
        ?? Opening(shortcutItem?.targetContentIdentifier)
    }
  }
#endif
