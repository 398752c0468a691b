// SPDX-License-Identifier: Apache-2.0

@_exported public import Foundation
// On Linux what loads URLs is apart from Foundation.
@_exported public import FoundationNetworking

/// What takes part in the responder chain, and in the state of a scene.
@MainActor
open class UIResponder: NSObject {
  /// Makes a responder.
  public override init() {
    super.init()
  }

  /// The next one of the chain: of a view its view controller or superview, of a window its scene.
  open var next: UIResponder? { nil }

  /// What the user does here; an activity that a scene captures is updated by the responders that
  /// have it.
  open var userActivity: NSUserActivity?

  /// Writes what the responder has to say about its activity.
  ///
  /// It is called when the scene's state is captured, if the activity needs to be saved; its
  /// `userInfo` is empty then (R-UA-1).
  open func updateUserActivityState(_ activity: NSUserActivity) {}

  /// Takes over what an activity says; nothing calls it but the program.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}
}
