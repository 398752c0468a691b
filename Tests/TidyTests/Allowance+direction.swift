// SPDX-License-Identifier: Apache-2.0

extension Allowance {
  /// What is over the limits of ``CodeGraph/findings()``: as much as is measured, so that it only
  /// gets less.
  static let directions = [
    "Proscenium: Application: lines": 1235,
    "Proscenium: Application: methods and initializers": 73,
    "Proscenium: ApplicationCore: lines": 2088,
    "Proscenium: ApplicationCore: methods and initializers": 138,
    "Proscenium: ImmediateSessionStore: protocol without two conformers": 1,
    "Proscenium: SavedStateReader: methods and initializers": 47,
    "Proscenium: Scene: lines": 1124,
    "Proscenium: Scene: methods and initializers": 68,
    "Proscenium: Shard: lines": 1356,
    "Proscenium: Shard: methods and initializers": 103,
    "Proscenium: files of the largest cycle": 101,
    "Proscenium: folders in cycles": 12,
    "ProsceniumCLI: files of folder .": 40,
    "ProsceniumCLI: files of the largest cycle": 30,
    "ProsceniumDashboard: folders in cycles": 4,
    "ProsceniumLoad: LoadCompanion: protocol without two conformers": 1,
    "ProsceniumLoad: folders in cycles": 6,
    "ProsceniumPredicate: ContentPredicate: methods and initializers": 47,
    "ProsceniumPredicate: folders in cycles": 2,
    "ProsceniumSQLite: folders in cycles": 6,
    // Its other conformer is compiled on Apple's systems.
    "ProsceniumSealing: SealingLibrary: protocol without two conformers": 1,
    "ProsceniumTestKit: files of folder Conformance/Lifecycle": 49,
    "ProsceniumTestKit: folders in cycles": 4,
  ]
}
