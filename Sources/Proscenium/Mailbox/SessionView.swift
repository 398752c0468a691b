// SPDX-License-Identifier: Apache-2.0

/// Which of the two views of the sessions a look-up means, if it means one.
///
/// A session begins in the admitted view and is visible when its first scene is made; its end is
/// admitted first as well, and it is visible until its scene has gone.
enum SessionView {
  /// What is decided: for requests and messages.
  case admitted
  /// What callbacks have done so far: for readers.
  case visible
  /// Either, and a session whose discard is just told: for the making of identifiers (R-ID-3).
  case any
}

extension ShardMailbox.Entry {
  /// Whether the session is one of the open ones.
  @inline(__always)
  func isIn(_ view: SessionView) -> Bool {
    switch view {
    case .admitted: flags[.isOpen]
    case .visible: flags[.isVisible]
    case .any: true
    }
  }
}
