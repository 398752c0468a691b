// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import Testing

@Suite struct SavedStateLimitsTests {
  @Test func `a state that is too large is refused with its largest parts`() {
    var activity = UserActivity(
      "edit", title: "0123456789",
      userInfo: [
        "thumbnails": .data([UInt8](repeating: 1, count: 1_400_000)),
        "text": .string(String(repeating: "x", count: 99_000)),
        "pages": .array([UserInfoValue](repeating: 1, count: 500)),
      ])
    activity.requiredUserInfoKeys = ["thumbnails"]
    let error = refusal(SavedState(activity: activity, userInfo: ["zoom": 2]))
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.largestParts.map(\.keyPath) == [
        "activity.userInfo.thumbnails", "activity.userInfo.text", "activity.userInfo.pages",
        "activity.requiredUserInfoKeys", "activity.title",
      ])
    #expect(error?.largestParts.map(\.byteCount) == [1_400_015, 99_009, 509, 14, 12])
    #expect(error?.largestParts.map(\.valueCount) == [1, 1, 501, 1, 0])
    #expect(
      error?.description
        == "expected a state of at most 1,048,576 bytes, found 1,499,580; the largest parts: "
        + "activity.userInfo.thumbnails 1,400,015, activity.userInfo.text 99,009, "
        + "activity.userInfo.pages 509, activity.requiredUserInfoKeys 14, activity.title 12.")
  }

  @Test func `the size in the error is that of the encoding`() throws {
    var random = SplitMix64(seed: 41)
    for number in 0..<500 {
      var state = SavedState.random(&random)
      state.snapshots = [:]
      let version = StateVersion(rawValue: UInt32(random.next() >> 60) * 100)
      let size = try state.encoded(version: version).count
      let fits = try state.encoded(version: version, limits: .init(byteCount: size)).count
      #expect(fits == size, "state \(number)")
      let error = refusal(state, version, .init(byteCount: size - 1))
      #expect(error?.found == grouped(size), "state \(number)")
    }
  }

  @Test func `what one part has is the difference that it makes`() throws {
    let value: UserInfoValue = [["a": .set([1, .real(2), .null, .url("u")])], .data([1, 2])]
    let without = UserActivity("t", userInfo: ["b": 1])
    var with = without
    with.userInfo["key"] = value
    let sizes = try [without, with].map { try SavedState(activity: $0).encoded().count }
    let error = refusal(SavedState(activity: with), limits: .init(byteCount: 10))
    #expect(error?.largestParts.first?.keyPath == "activity.userInfo.key")
    #expect(error?.largestParts.first?.byteCount == sizes[1] - sizes[0])
  }

  @Test func `a state with too many values is refused with the parts that have most`() throws {
    let limits = SavedStateLimits(valueCount: 100)
    let list = { (count: Int) in UserInfoValue.array(.init(repeating: .null, count: count)) }
    var activity = UserActivity(
      "a", userInfo: ["few": list(30), "text": "long enough to be large"])
    var state = SavedState(activity: activity, userInfo: ["many": .array([true]), "a": 1])
    activity.userInfo["most"] = list(64)
    state.activity = activity
    _ = try state.encoded(limits: limits)
    activity.userInfo["one"] = 1
    state.activity = activity
    let error = refusal(state, limits: limits)
    #expect(error?.code == .limitExceeded)
    #expect(error?.expected == "a state of at most 100 values")
    #expect(error?.found == "101")
    #expect(error?.largestParts.first?.keyPath == "activity.userInfo.most")
    #expect(error?.largestParts.first?.valueCount == 65)
  }

  @Test func `values are counted in all that holds some`() throws {
    let list = (0..<10).map { UserInfoValue.integer(Int64($0)) }
    let named = Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", $0) })
    var keyed = UserActivity("a")
    keyed.requiredUserInfoKeys = Set(named.keys)
    let states: [(count: Int, state: SavedState)] = [
      (11, SavedState(activity: UserActivity("a", userInfo: ["k": .array(list)]))),
      (11, SavedState(activity: UserActivity("a", userInfo: ["k": .set(Set(list))]))),
      (
        10,
        SavedState(activity: UserActivity("a", userInfo: named.mapValues { .integer(Int64($0)) }))
      ),
      (10, SavedState(userInfo: named.mapValues { .integer(Int64($0)) })),
      (11, SavedState(userInfo: ["k": .dictionary(named.mapValues { .integer(Int64($0)) })])),
      (10, SavedState(activity: keyed)),
    ]
    for (count, state) in states {
      _ = try state.encoded(limits: SavedStateLimits(valueCount: count))
      let error = refusal(state, limits: SavedStateLimits(valueCount: count - 1))
      #expect(error?.found == "\(count)")
    }
  }

  @Test(arguments: [1, 2, 64, 512])
  func `nesting up to the limit comes back, and one more is refused with its keys`(
    depth: Int
  ) throws {
    // The dictionary itself is the first one.
    var value: UserInfoValue = "leaf"
    for level in 1..<max(depth, 2) where depth > 1 {
      value = [[value], ["k": value], .set([value])][level % 3]
    }
    let limits = SavedStateLimits(depth: depth)
    let state = SavedState(activity: UserActivity("a", userInfo: ["deep": value]))
    let decoded = try SavedState(decoding: try state.encoded(limits: limits))
    #expect(decoded == state)
    let deeper = SavedState(activity: UserActivity("a", userInfo: ["x": 1, "deep": [value]]))
    let error = refusal(deeper, limits: limits)
    #expect(error?.code == .limitExceeded)
    #expect(error?.keyPath.hasPrefix("activity.userInfo.deep") == true)
  }

  @Test func `the keys of what is too deep lead there`() {
    let info: [String: UserInfoValue] = ["a": [1, ["b": ["c": []]]]]
    let error = refusal(SavedState(userInfo: info), limits: .init(depth: 4))
    #expect(error?.keyPath == "userInfo.a[1].b.c")
    #expect(
      error?.description == "userInfo.a[1].b.c: expected arrays, dictionaries and sets at most 4 "
        + "deep within one another, found one more.")
  }

  @Test(arguments: [.null, .url("u"), .set([1])] as [UserInfoValue])
  func `settings that no property list can hold are refused with their keys`(value: UserInfoValue) {
    let deep: [String: UserInfoValue] = ["a": [1, ["b": value]]]
    let error = refusal(SavedState(activity: UserActivity("a", userInfo: deep), userInfo: deep))
    #expect(error?.code == .notPropertyList)
    #expect(
      error?.description == "userInfo.a[1].b: expected a value of a property list, found a null, "
        + "a set or a URL.")
  }

  @Test func `the depth that can be set has a limit`() {
    var value: UserInfoValue = 1
    for _ in 0..<100_000 / 100 { value = [value] }
    let error = refusal(
      SavedState(activity: UserActivity("a", userInfo: ["v": value])),
      limits: .init(depth: .max))
    #expect(error?.code == .limitExceeded)
  }

  @Test func `snapshots have limits of their own`() throws {
    let one = [UInt8](repeating: 1, count: SceneSession.snapshotSizeLimit - 2)
    let limits = SavedStateLimits(byteCount: 100)
    var state = SavedState(activity: UserActivity("a"))
    for number in 1...8 { state.snapshots["v\(number)"] = one }
    let decoded = try SavedState(decoding: try state.encoded(limits: limits))
    #expect(decoded == state)
    state.snapshots["v1"]?.append(1)
    #expect(
      refusal(state, limits: limits)?.description
        == "snapshots: expected at most 1,048,576 bytes of a snapshot, found 1,048,577.")
    state.snapshots["v1"] = []
    state.snapshots["v9"] = []
    #expect(
      refusal(state)?.description == "snapshots: expected at most 8 snapshots, found 9.")
  }

  @Test func `limits are brought into their ranges`() {
    let limits = SavedStateLimits(byteCount: .max, depth: .max, valueCount: -1)
    #expect(limits == SavedStateLimits(byteCount: 64 << 20, depth: 512, valueCount: 0))
    #expect(SavedStateLimits(byteCount: -1, depth: -1).depth == 1)
  }

  private func refusal(
    _ state: SavedState, _ version: StateVersion = .unstamped, limits: SavedStateLimits = .init()
  ) -> SavedStateError? {
    refusal(state, version, limits)
  }

  private func refusal(
    _ state: SavedState, _ version: StateVersion, _ limits: SavedStateLimits
  ) -> SavedStateError? {
    do throws(SavedStateError) {
      _ = try state.encoded(version: version, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  private func grouped(_ number: Int) -> String {
    number < 1_000 ? "\(number)" : "\(number / 1_000)," + "\(1_000 + number % 1_000)".dropFirst()
  }
}
