// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import Testing

@Suite struct ConfigurationCopiesTests {
  private final class Delegate: SceneDelegate {}

  private let catalog = ConfigurationCatalog(
    SceneManifest([SceneConfiguration("Main") { Delegate() }]))

  @Test func `a copy is the same configuration, in a storage that no other shard counts`() throws {
    var copies = ConfigurationCopies()
    var others = ConfigurationCopies()
    let copy = copies.configuration(0, in: catalog)
    let other = others.configuration(0, in: catalog)
    let original = catalog.configuration(0)
    #expect([copy, other].map(\.name) == ["Main", "Main"])
    #expect(copy.makeDelegate != nil)
    #expect(copy.isIdentical(to: original) && original.isIdentical(to: copy))
    #expect(copy.isIdentical(to: other))
    #expect(copy.copied.isIdentical(to: original))
    // Known again, without a look at the name and what else it has.
    #expect(try catalog.index(of: copy) == 0)
  }

  @Test func `a copy that is changed is another configuration`() {
    var copies = ConfigurationCopies()
    var copy = copies.configuration(0, in: catalog)
    copy.storyboard = "Other"
    #expect(!copy.isIdentical(to: catalog.configuration(0)))
  }

  @Test func `the catalog is asked once for each, and for those beyond the limit each time`() throws
  {
    var copies = ConfigurationCopies()
    var asked = 0
    func configuration(_ index: UInt16) -> SceneConfiguration {
      copies.configuration(
        index,
        in: {
          asked += 1; return catalog
        }())
    }
    for number in 1...ConfigurationCopies.limit {
      _ = try catalog.index(
        of: SceneConfiguration(name: "\(number)", sessionRole: .windowApplication))
    }
    let beyond = UInt16(ConfigurationCopies.limit)
    for _ in 0..<3 {
      #expect(configuration(beyond - 1).name == "\(beyond - 1)")
      #expect(configuration(2).name == "2")
    }
    #expect(asked == 2)
    for _ in 0..<3 { #expect(configuration(beyond).name == "\(beyond)") }
    #expect(asked == 5)
  }
}
