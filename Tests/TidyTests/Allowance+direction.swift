// SPDX-License-Identifier: Apache-2.0

extension Allowance {
  /// What is over the limits of ``CodeGraph/findings()``: as much as is measured, so that it only
  /// gets less.
  static let directions = [
    "Proscenium: Admitter: lines": 954,
    "Proscenium: Admitter: methods and initializers": 57,
    "Proscenium: Application: lines": 1122,
    "Proscenium: Application: methods and initializers": 60,
    "Proscenium: ApplicationCore: lines": 955,
    "Proscenium: ApplicationCore: methods and initializers": 57,
    "Proscenium: ImmediateSessionStore: protocol without two conformers": 1,
    "ProsceniumLoad: LoadCompanion: protocol without two conformers": 1,
    // Its other conformer is compiled on Apple's systems.
    "ProsceniumSealing: SealingLibrary: protocol without two conformers": 1,
  ]
}
