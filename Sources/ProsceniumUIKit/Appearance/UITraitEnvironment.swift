// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What has traits.
@MainActor
public protocol UITraitEnvironment: NSObjectProtocol {
  /// The traits that hold here.
  var traitCollection: UITraitCollection { get }
}
