// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Something that the user did; none is ever made here.
@MainActor
open class UIEvent: NSObject {
  /// Makes an event of nothing.
  public override init() { super.init() }
}
