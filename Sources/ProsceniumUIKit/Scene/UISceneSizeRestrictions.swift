// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How large a window may be; a device has none of them, as a telephone has none.
@MainActor
public final class UISceneSizeRestrictions: NSObject {
  /// The smallest size.
  public var minimumSize = CGSize.zero

  /// The largest size.
  public var maximumSize = CGSize(
    width: CGFloat.greatestFiniteMagnitude, height: CGFloat.greatestFiniteMagnitude)
}
