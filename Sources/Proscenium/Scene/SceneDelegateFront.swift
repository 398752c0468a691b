// SPDX-License-Identifier: Apache-2.0

/// Stands between the runtime and a scene's delegate, to which it passes every callback on.
///
/// For whoever times what a delegate does, and for tools that write down what it is asked and told.
/// To the program it is invisible: ``Scene/delegate`` is the one behind all fronts.
package protocol SceneDelegateFront: SceneDelegate {
  /// The program's own delegate, or the front that stands before it.
  var delegate: any SceneDelegate { get }
}
