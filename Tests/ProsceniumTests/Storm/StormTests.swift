// SPDX-License-Identifier: Apache-2.0

import Testing

/// Random requests of all kinds, from eight tasks and from callbacks, against an independent
/// replay.
///
/// The ordinary run makes a few thousand requests in each combination. The full one sets
/// `PROSCENIUM_STORM_REQUESTS=1000000`, in a release build with `-enable-testing`;
/// `PROSCENIUM_STORM_SEED` chooses other requests.
@Suite(.serialized) struct StormTests {
  @Test(arguments: StormPlan.all)
  func `every callback equals an independent replay of the admission order`(
    _ plan: StormPlan
  ) async throws {
    let findings = try await Storm(plan).run()
    #expect(findings.isEmpty, "\(plan)\n\(findings.joined(separator: "\n"))")
  }
}
