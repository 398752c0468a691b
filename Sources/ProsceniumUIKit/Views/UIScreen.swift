// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The screen, of which there is one and which shows nothing.
@MainActor
open class UIScreen: NSObject {
  /// The screen.
  public static let main = UIScreen()

  /// Its size in points.
  open var bounds: CGRect { CGRect(x: 0, y: 0, width: 1_024, height: 1_366) }
  /// How many pixels a point has in each direction.
  open var scale: CGFloat { 2 }

  private override init() { super.init() }
}
