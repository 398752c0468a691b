// SPDX-License-Identifier: Apache-2.0

/// How suites are run; a suite that runs no application takes no notice.
package struct ConformanceOptions: Sendable {
  /// How many shards an application has.
  package var shards = 64
  /// Whether scenes stay connected in the background.
  ///
  /// If not, each is disconnected as soon as it has settled there; then only what is stored is
  /// compared, which must not depend on it.
  package var keepsScenes = true
  /// How long one run of a case may take.
  package var limit = Duration.seconds(30)
  /// Times the limit.
  package var clock: any Clock<Duration> = ContinuousClock()

  package init() {}
}
