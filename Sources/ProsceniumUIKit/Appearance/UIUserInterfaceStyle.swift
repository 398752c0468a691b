// SPDX-License-Identifier: Apache-2.0

/// Whether an interface is light or dark.
public enum UIUserInterfaceStyle: Int, Sendable {
  /// It is not said.
  case unspecified
  /// It is light.
  case light
  /// It is dark.
  case dark
}

/// The kind of a device.
public enum UIUserInterfaceIdiom: Int, Sendable {
  /// It is not said.
  case unspecified = -1
  /// A telephone.
  case phone
  /// A tablet.
  case pad
  /// A television.
  case tv
  /// A car's display.
  case carPlay
  /// A desktop computer.
  case mac = 5
  /// A headset.
  case vision = 6
}

/// How much room there is in a direction.
public enum UIUserInterfaceSizeClass: Int, Sendable {
  /// It is not said.
  case unspecified
  /// There is little room.
  case compact
  /// There is the usual room.
  case regular
}
