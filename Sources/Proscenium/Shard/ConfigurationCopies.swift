// SPDX-License-Identifier: Apache-2.0

/// A shard's own copies of the configurations that its sessions have.
///
/// Every connection and every session value counts references to a configuration. If all shards
/// had the same object, the processors would take its count from one another; and the catalog
/// would have to be locked for each look.
struct ConfigurationCopies: Sendable {
  /// How many configurations are copied; programs have a handful.
  static let limit = 32

  private var copies: [SceneConfiguration?] = []

  /// Returns the configuration with a number, copied when it is first asked for.
  @inline(__always)
  mutating func configuration(
    _ index: UInt16, in catalog: @autoclosure () -> ConfigurationCatalog
  ) -> SceneConfiguration {
    if Int(index) < copies.count, let copy = copies[Int(index)] { return copy }
    return copy(index, catalog())
  }

  @inline(never)
  private mutating func copy(
    _ index: UInt16, _ catalog: ConfigurationCatalog
  ) -> SceneConfiguration {
    let original = catalog.configuration(index)
    guard index < Self.limit else { return original }
    while copies.count <= index { copies.append(nil) }
    let copy = original.copied
    copies[Int(index)] = copy
    return copy
  }
}
