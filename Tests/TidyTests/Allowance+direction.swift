// SPDX-License-Identifier: Apache-2.0

extension Allowance {
  /// What is over the limits of ``CodeGraph/findings()``: as much as is measured, so that it only
  /// gets less.
  static let directions = [
    "Proscenium: Admitter: lines": 970,
    "Proscenium: Admitter: methods and initializers": 58,
    "Proscenium: Application: lines": 1159,
    "Proscenium: Application: methods and initializers": 65,
    "Proscenium: ApplicationCore: lines": 970,
    "Proscenium: ApplicationCore: methods and initializers": 58,
    "Proscenium: ImmediateSessionStore: protocol without two conformers": 1,
    "Proscenium: Scene: lines": 1234,
    "Proscenium: Scene: methods and initializers": 79,
    "ProsceniumCLI: files of the largest cycle": 20,
    "ProsceniumDashboard: folders in cycles": 4,
    "ProsceniumLoad: LoadCompanion: protocol without two conformers": 1,
    "ProsceniumLoad: folders in cycles": 3,
    "ProsceniumPredicate: ContentPredicate: methods and initializers": 45,
    "ProsceniumPredicate: folders in cycles": 2,
    "ProsceniumSQLite: folders in cycles": 5,
    // Its other conformer is compiled on Apple's systems.
    "ProsceniumSealing: SealingLibrary: protocol without two conformers": 1,
    "ProsceniumTestKit: files of the largest cycle": 21,
    "ProsceniumTestKit: folders in cycles": 4,
  ]
}
