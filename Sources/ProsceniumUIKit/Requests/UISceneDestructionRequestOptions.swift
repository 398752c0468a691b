// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How a session is to be ended.
@MainActor
open class UISceneDestructionRequestOptions: NSObject {
  /// Makes options.
  public override init() {
    super.init()
  }
}

/// How a session with windows is to be ended.
@MainActor
open class UIWindowSceneDestructionRequestOptions: UISceneDestructionRequestOptions {
  /// How its windows leave the screen: the reason of its end.
  open var windowDismissalAnimation = UIWindowScene.DismissalAnimation.standard
}
