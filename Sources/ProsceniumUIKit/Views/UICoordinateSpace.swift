// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What has coordinates.
@MainActor
public protocol UICoordinateSpace: NSObjectProtocol {
  /// Its rectangle in its own coordinates.
  var bounds: CGRect { get }
}

extension UIView: UICoordinateSpace {}

extension UIScreen: UICoordinateSpace {}
