// SPDX-License-Identifier: Apache-2.0

extension Result {
  /// What an operation comes to that may wait.
  @inlinable
  package init(catching body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
