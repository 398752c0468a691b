// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

extension UIScene {
  /// How a scene is to be activated (semantics#options-of-requests).
  @MainActor
  open class ActivationRequestOptions: NSObject {
    /// The scene in which the user acted; it is not the one that leaves the foreground (R-ACTV-2).
    open var requestingScene: UIScene?

    /// Whether a new session joins the windows of the requesting scene.
    open var collectionJoinBehavior = UISceneCollectionJoinBehavior.automatic

    /// Makes options.
    public override init() {
      super.init()
    }

    /// The options as the runtime takes them.
    var value: Scene.ActivationRequestOptions {
      Scene.ActivationRequestOptions(
        requestingScene: requestingScene?.session.identifier,
        collectionJoinBehavior: collectionJoinBehavior.value)
    }
  }
}

/// Whether a new session joins the windows of the one that asks.
public enum UISceneCollectionJoinBehavior: Int, Sendable {
  /// As the system prefers: it joins.
  case automatic = 0
  /// It joins and is activated.
  case preferred = 1
  /// It does not join.
  case disallowed = 2
  /// It joins and is not activated.
  case preferredWithoutActivating = 3

  fileprivate var value: Scene.ActivationRequestOptions.CollectionJoinBehavior {
    switch self {
    case .automatic: .automatic
    case .preferred: .preferred
    case .disallowed: .disallowed
    case .preferredWithoutActivating: .preferredWithoutActivating
    }
  }
}

extension UIWindowScene {
  /// How a scene with windows is to be activated.
  @MainActor
  open class ActivationRequestOptions: UIScene.ActivationRequestOptions {
    /// How the window is to be presented; held.
    open var preferredPresentationStyle = PresentationStyle.automatic

    /// Where the window is to be placed; held.
    open var placement: (any UIWindowScenePlacement)?
  }

  /// How a window is presented.
  public enum PresentationStyle: UInt, Sendable {
    /// As the system prefers.
    case automatic
    /// As any window.
    case standard
    /// In front.
    case prominent
  }
}
