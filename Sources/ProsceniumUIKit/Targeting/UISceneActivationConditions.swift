// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

/// Which content a scene can show, and which it would rather show than any other scene (R-RT-4).
///
/// Predicates are about `SELF`, the identifier of the content. One that UIKit does not allow, such
/// as one with a block or with `MATCHES`, changes nothing, and the device's next call throws a
/// fault (R-PR-1).
@MainActor
open class UISceneActivationConditions: NSObject {
  private var can = ContentCondition.always
  private var prefers = ContentCondition.never

  /// The scene whose conditions these are; what is changed in them changes its own.
  weak var scene: UIScene?

  /// Makes conditions of a scene that can show everything and prefers nothing.
  public override init() {
    super.init()
  }

  /// Makes the object of a value.
  convenience init(_ value: SceneActivationConditions) {
    self.init()
    can = ContentCondition(value.can)
    prefers = ContentCondition(value.prefers)
  }

  /// The conditions as the runtime routes by them.
  var value: SceneActivationConditions {
    SceneActivationConditions(can: can.content, prefers: prefers.content)
  }

  /// The identifiers of the content that the scene can show; all, unless set.
  open var canActivateForTargetContentIdentifierPredicate: NSPredicate {
    get { can.predicate }
    set { change(\.can, to: newValue, "canActivateForTargetContentIdentifierPredicate") }
  }

  /// The identifiers of the content that the scene would rather show; none, unless set.
  open var prefersToActivateForTargetContentIdentifierPredicate: NSPredicate {
    get { prefers.predicate }
    set { change(\.prefers, to: newValue, "prefersToActivateForTargetContentIdentifierPredicate") }
  }

  private func change(
    _ condition: ReferenceWritableKeyPath<UISceneActivationConditions, ContentCondition>,
    to predicate: NSPredicate, _ name: String
  ) {
    do {
      self[keyPath: condition] = try ContentCondition(predicate)
      scene?.take(self)
    } catch {
      Faults.note("UISceneActivationConditions.\(name): \(error)")
    }
  }
}
