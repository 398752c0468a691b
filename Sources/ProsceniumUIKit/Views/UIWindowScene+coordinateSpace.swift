// SPDX-License-Identifier: Apache-2.0

extension UIWindowScene {
  /// The coordinates of the scene, which are those of its screen.
  public var coordinateSpace: any UICoordinateSpace { screen }
}
