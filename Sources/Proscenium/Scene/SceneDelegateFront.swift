// SPDX-License-Identifier: Apache-2.0

/// Stands between the runtime and a scene's delegate, to which it passes every callback on.
///
/// For tools that write down what a delegate is asked and told. To the program it is invisible:
/// ``Scene/delegate`` is the one behind it.
package protocol SceneDelegateFront: SceneDelegate {
  /// The program's own delegate.
  var delegate: any SceneDelegate { get }
}
