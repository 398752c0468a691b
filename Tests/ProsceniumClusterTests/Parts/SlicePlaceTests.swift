// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import Testing

  @Suite struct SlicePlaceTests {
    private static let identifier = SessionIdentifier(
      high: 0x1234_5678_9ABC_4DEF, low: 0x3210_4567_89AB_CDEF)

    @Test func `an identifier at a place keeps its rest and is of version 8`() {
      let placed = SlicePlace.identifier(Self.identifier, at: 0xFEDC)
      #expect(placed.description == "fedc5678-9abc-8def-b210-456789abcdef")
    }

    @Test func `an identifier in a slice keeps the bits below it`() {
      let placed = SlicePlace.identifier(Self.identifier, in: 5, bits: 4)
      #expect(placed.description == "52345678-9abc-8def-b210-456789abcdef")
      #expect(SlicePlace.slice(of: 0x5234, bits: 4) == 5)
      #expect(SlicePlace.slice(of: 0x5234, bits: 10) == 0x5234 >> 6)
    }

    @Test func `the place of a text is the same in every process`() {
      #expect(SlicePlace.place(of: .group, "a") == SlicePlace.place(of: .group, "a"))
      #expect(SlicePlace.place(of: .group, "a") != SlicePlace.place(of: .owner, "a"))
      let slices = Set(
        (0..<4_096).map { SlicePlace.slice(of: SlicePlace.place(of: .owner, "\($0)"), bits: 10) })
      // 1,024 × (1 − e⁻⁴) of them are met by chance.
      #expect(slices.count > 980)
    }
  }
#endif
