// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Testing

@testable import Proscenium

@Suite struct SavedStateTests {
  @Test func `random states come back, and equal ones have equal bytes`() throws {
    let seed: UInt64 = 21
    var random = SplitMix64(seed: seed)
    for number in 0..<3_000 {
      let state = SavedState.random(&random)
      let bytes = try state.encoded(version: 7)
      let decoded = try SavedState(decoding: bytes)
      // Compared outside: the description of a date that is no number traps.
      let isSame = decoded == state
      #expect(isSame, "seed \(seed), state \(number)")
      let reordered = try state.reordered.encoded(version: 7)
      #expect(reordered == bytes, "seed \(seed), state \(number)")
      let again = try decoded.encoded(version: 7)
      #expect(again == bytes, "seed \(seed), state \(number)")
    }
  }

  @Test(arguments: SavedState.fields)
  func `each field comes back, and none changes another one`(
    name: String, change: @Sendable (inout SavedState) -> Void
  ) throws {
    for var state in [SavedState(activity: UserActivity("")), SavedState.full] {
      change(&state)
      let bytes = try state.encoded()
      let decoded = try SavedState(decoding: bytes)
      #expect(decoded == state)
      // What `==` of two reals does not tell.
      let again = try decoded.encoded()
      #expect(again == bytes)
    }
  }

  @Test func `what is absent and what is empty stay different`() throws {
    for state in [
      SavedState(), SavedState(userInfo: [:]), SavedState(activity: UserActivity("")),
      SavedState(activity: UserActivity("", title: "", webpageURL: "")),
    ] {
      let decoded = try SavedState(decoding: try state.encoded())
      #expect(decoded == state)
      #expect(decoded.userInfo == state.userInfo)
      #expect(decoded.activity?.title == state.activity?.title)
    }
  }

  @Test func `what is no content of an activity is not encoded`() throws {
    var activity = UserActivity("edit")
    let bytes = try SavedState(activity: activity).encoded()
    activity.needsSave = true
    activity.willSave = { $0.title = "x" }
    let same = try SavedState(activity: activity).encoded()
    #expect(same == bytes)
    let decoded = try SavedState(decoding: same).activity
    #expect(decoded?.needsSave == false)
    #expect(decoded?.willSave == nil)
  }

  @Test func `keys that begin alike, and many keys, come in one order`() throws {
    for prefix in ["", "com.example.", "com.example.editor.window.setting."] {
      let keys = (0..<300).flatMap { ["\(prefix)\($0)", "\(prefix)\($0).suffix that is long"] }
      var activity = UserActivity("a")
      activity.requiredUserInfoKeys = Set(keys)
      for key in keys.reversed() { activity.userInfo[key] = .string(key) }
      activity.userInfo["set"] = .set(Set(keys.map { .url($0) }))
      let state = SavedState(activity: activity)
      let bytes = try state.encoded()
      // It throws if entries are not in order.
      let decoded = try SavedState(decoding: bytes)
      #expect(decoded == state)
      let reordered = try state.reordered.encoded()
      #expect(reordered == bytes)
    }
  }

  @Test func `texts and reals keep their very bits`() throws {
    let payload = Double(nan: 0x1234, signaling: false)
    let activity = UserActivity(
      "e\u{301}", userInfo: ["nan": .real(payload), "zero": .real(-0.0), "e\u{301}": "é"])
    let decoded = try SavedState(decoding: try SavedState(activity: activity).encoded()).activity
    #expect(decoded?.activityType.utf8.elementsEqual("e\u{301}".utf8) == true)
    #expect(decoded?.userInfo["nan"]?.real?.bitPattern == payload.bitPattern)
    #expect(decoded?.userInfo["zero"]?.real?.sign == .minus)
    #expect(decoded?.userInfo["é"]?.string?.utf8.elementsEqual("é".utf8) == true)
  }

  @Test func `the bytes of version 1 of the form are these`() throws {
    let activity = UserActivity(
      "edit", title: "A", userInfo: ["n": -3, "list": [true, .null, "x"]])
    let bytes = try SavedState(activity: activity).encoded(version: 300)
    #expect(
      bytes == [
        1,  // the version of the form
        1, 2, 0xAC, 0x02,  // the version of the application: 300
        2, 4, 0x65, 0x64, 0x69, 0x74,  // "edit"
        3, 1, 0x41,  // "A"
        9, 14, 2,  // two entries
        1, 0x6E, 0x25,  // "n": -3
        4, 0x6C, 0x69, 0x73, 0x74, 0x83, 0x11, 0x00, 0x51, 0x78,  // "list": [true, null, "x"]
      ])
  }

  @Test func `an encoder is good for state after state, also after a refusal`() throws {
    var encoder = SavedStateEncoder(limits: SavedStateLimits(byteCount: 1_000))
    let small = SavedState(activity: UserActivity("a", userInfo: ["b": "c"]))
    let large = SavedState(
      activity: UserActivity("a", userInfo: ["b": .data(.init(repeating: 0, count: 1_000))]))
    for _ in 0..<3 {
      try encoder.encode(small)
      let bytes = encoder.withEncoded { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
      let expected = try small.encoded()
      #expect(bytes == expected)
      #expect(throws: SavedStateError.self) { try encoder.encode(large) }
      let nothing = encoder.withEncoded { $0.byteCount }
      #expect(nothing == 0)
    }
  }
}

extension SavedState {
  /// A state that has everything.
  static var full: SavedState {
    var activity = UserActivity(
      "com.example.edit", title: "Title",
      userInfo: [
        "array": ["a", 1, .null, true, 1.5], "dictionary": ["x": ["y": "z"]], "null": .null,
        "set": .set(["b", "a", 3, ["c"]]), "url": .url("https://example.com/a"),
        "date": .date(Date(timeIntervalSinceReferenceDate: 700_000_000.25)),
        "data": .data([0, 1, 255]), "empty": .dictionary([:]), "none": [],
      ],
      targetContentIdentifier: "document/1", webpageURL: "https://example.com/1")
    activity.persistentIdentifier = "persistent"
    activity.requiredUserInfoKeys = ["array", "null"]
    activity.expirationDate = Date(timeIntervalSinceReferenceDate: 800_000_000)
    return SavedState(
      activity: activity,
      userInfo: ["zoom": 1.5, "name": "n", "nested": ["list": [1, 2, ["k": true]]]],
      snapshots: ["": [1, 2, 3], "dark": []])
  }

  /// Changes of each field.
  static let fields: [(name: String, change: @Sendable (inout SavedState) -> Void)] = [
    ("title", { $0.activity?.title = "another" }),
    ("no title", { $0.activity?.title = nil }),
    ("targetContentIdentifier", { $0.activity?.targetContentIdentifier = "another" }),
    ("webpageURL", { $0.activity?.webpageURL = "another" }),
    ("persistentIdentifier", { $0.activity?.persistentIdentifier = "another" }),
    ("requiredUserInfoKeys", { $0.activity?.requiredUserInfoKeys = ["one", "two", ""] }),
    ("expirationDate", { $0.activity?.expirationDate = .distantPast }),
    ("userInfo", { $0.activity?.userInfo["another"] = "value" }),
    (
      "integers",
      { $0.activity?.userInfo["i"] = [0, 7, -8, 8, 100, .integer(.min), .integer(.max)] }
    ),
    ("reals", { $0.activity?.userInfo["r"] = [0, .real(-0.0), .real(.nan), .real(.infinity)] }),
    ("long", { $0.activity?.userInfo["l"] = .string(String(repeating: "é", count: 40_000)) }),
    ("activity", { $0.activity = nil }),
    ("settings", { $0.userInfo = ["another": .data([1])] }),
    ("empty settings", { $0.userInfo = [:] }),
    ("no settings", { $0.userInfo = nil }),
    ("snapshots", { $0.snapshots["light"] = [UInt8](repeating: 7, count: 300_000) }),
    ("no snapshots", { $0.snapshots = [:] }),
  ]

  /// The same state with its dictionaries and sets in other orders.
  fileprivate var reordered: SavedState {
    var state = self
    state.activity?.userInfo = (activity?.userInfo ?? [:]).mapped(minimumCapacity: 500)
    state.userInfo = userInfo?.mapped(minimumCapacity: 300)
    state.snapshots = snapshots.mapped(minimumCapacity: 50)
    return state
  }
}

extension Dictionary {
  fileprivate func mapped(minimumCapacity: Int) -> Self {
    var copy = Self(minimumCapacity: minimumCapacity)
    for (key, value) in self.reversed() { copy[key] = value }
    return copy
  }
}
