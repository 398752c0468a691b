// SPDX-License-Identifier: Apache-2.0

// What a dependency does that has a part for UIKit: here there is none for it.
#if canImport(UIKit)
  /// Whether there is a module of that name.
  public let hasUIKit = true
#else
  /// Whether there is a module of that name.
  public let hasUIKit = false
#endif
