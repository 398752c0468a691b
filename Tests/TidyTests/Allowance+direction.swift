// SPDX-License-Identifier: Apache-2.0

extension Allowance {
  /// What is over the limits of ``CodeGraph/findings()``: as much as is measured, so that it only
  /// gets less.
  static let directions = [
    // Its other conformer is compiled on Apple's systems.
    "ProsceniumSealing: SealingLibrary: protocol without two conformers": 1,
    // UIKit's types refer to one another: a window to its scene, a scene to its session and its
    // windows, the application to all of them.
    "ProsceniumUIKit: files of the largest cycle": 35,
    "ProsceniumUIKit: folders in cycles": 9,
    // A team's program conforms.
    "ProsceniumUIKit: UISplitViewControllerDelegate: protocol without two conformers": 1,
    "ProsceniumUIKit: UIUserActivityRestoring: protocol without two conformers": 1,
  ]
}
