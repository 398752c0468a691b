// SPDX-License-Identifier: Apache-2.0

/// Which way up an interface is.
public enum UIInterfaceOrientation: Int, Sendable {
  /// It is not known.
  case unknown
  /// Higher than wide.
  case portrait
  /// Higher than wide, the other way up.
  case portraitUpsideDown
  /// Wider than high, with the device's head on the right.
  case landscapeRight
  /// Wider than high, with the device's head on the left.
  case landscapeLeft

  /// Whether it is higher than wide.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

  /// Whether it is wider than high.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

/// Some of the ways up.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set of its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Higher than wide.
  public static let portrait = UIInterfaceOrientationMask(rawValue: 2)
  /// Higher than wide, the other way up.
  public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 4)
  /// Wider than high, with the device's head on the right.
  public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 8)
  /// Wider than high, with the device's head on the left.
  public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 16)
  /// Wider than high.
  public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
  /// All but the one that is the other way up.
  public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
  /// All of them.
  public static let all: UIInterfaceOrientationMask = [.allButUpsideDown, .portraitUpsideDown]
}
