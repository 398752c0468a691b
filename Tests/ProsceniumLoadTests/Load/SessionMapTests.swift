// SPDX-License-Identifier: Apache-2.0

import Proscenium
@testable import ProsceniumLoad
import ProsceniumPrimitives
import Testing

@Suite struct SessionMapTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `it holds what a dictionary holds, whatever is done to both`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var map = SessionMap<Int>()
    var model: [SessionIdentifier: Int] = [:]
    // Most of them are out of date.
    var slots: [SessionIdentifier: Int] = [:]
    for step in 0..<20_000 {
      let session = SessionIdentifier.numbered(Int.random(in: 0..<300, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: #expect(map.remove(session) == model.removeValue(forKey: session))
      case 1:
        let old = map.change(session) { value in
          defer { value = step }
          return value
        }
        #expect(old == model[session])
        if old != nil { model[session] = step }
      case 2:
        let old = map.change(session, near: slots[session] ?? step) { value in
          defer { value = -step }
          return value
        }
        #expect(old == model[session])
        if old != nil { model[session] = -step }
      default:
        let (slot, sum) = map.change(session, first: 7) { value in
          value += step
          return value
        }
        model[session, default: 7] += step
        slots[session] = slot
        #expect(sum == model[session])
      }
      #expect(map[session] == model[session])
    }
    #expect(Set(map.sessions) == Set(model.keys))
    #expect(map.sessions.count == model.count)
  }
}
