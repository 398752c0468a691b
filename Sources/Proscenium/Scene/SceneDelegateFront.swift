// SPDX-License-Identifier: Apache-2.0

/// Stands between the runtime and a scene's delegate, to which it passes every callback on.
///
/// For whoever times what a delegate does, and for tools that write down what it is asked and told.
/// To the program it is invisible: ``Scene/delegate`` is the one behind all fronts.
package protocol SceneDelegateFront: SceneDelegate {
  /// The program's own delegate, or the front that stands before it.
  var delegate: any SceneDelegate { get }
}

extension ApplicationCore {
  /// Whether anything stands before delegates.
  var hasFronts: Bool { callbackBudget != nil || settings.makeFront != nil }

  /// Puts before a delegate what is to stand there: what times it comes first, since a tool may let
  /// it take its time on purpose.
  func frontOf(_ delegate: any SceneDelegate) -> any SceneDelegate {
    let front = settings.makeFront?(delegate) ?? delegate
    return callbackBudget.map { TimedSceneDelegate(front, $0) } ?? front
  }
}
