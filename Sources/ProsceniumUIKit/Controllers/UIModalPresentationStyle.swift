// SPDX-License-Identifier: Apache-2.0

/// How a controller is presented.
public enum UIModalPresentationStyle: Int, Sendable {
  /// In place of all others.
  case fullScreen
  /// Over a part of the others.
  case pageSheet
  /// In the middle of the others.
  case formSheet
  /// In place of the one that presents it.
  case currentContext
  /// As a program has it.
  case custom
  /// Over all others.
  case overFullScreen
  /// Over the one that presents it.
  case overCurrentContext
  /// With an arrow.
  case popover
  /// Not at all.
  case none = -1
  /// As the system has it.
  case automatic = -2
}

/// How a presented controller comes.
public enum UIModalTransitionStyle: Int, Sendable {
  /// From below.
  case coverVertical
  /// By a turn.
  case flipHorizontal
  /// It appears by and by.
  case crossDissolve
  /// A page is turned up.
  case partialCurl
}
