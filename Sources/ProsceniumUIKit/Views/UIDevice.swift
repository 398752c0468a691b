// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The device, which is called a tablet since a tablet shows several windows.
@MainActor
open class UIDevice: NSObject {
  /// The device.
  public static let current = UIDevice()

  /// What its owner calls it.
  open var name: String { model }
  /// What its maker calls it.
  open var model: String { "iPad" }
  /// The name of its system.
  open var systemName: String { "iPadOS" }
  /// The version of its system, the oldest that the package supports.
  open var systemVersion: String { "18.0" }
  /// The kind of device.
  open var userInterfaceIdiom: UIUserInterfaceIdiom {
    UITraitCollection.current.userInterfaceIdiom
  }

  private override init() { super.init() }
}
