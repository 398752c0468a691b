// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import Testing

@Suite struct SavedStateJSONTests {
  @Test func `a state is shown with sorted keys and tags`() {
    #expect(
      SavedState.full.json(version: 3) == """
        {
          "version": 3,
          "activity": {
            "activityType": "com.example.edit",
            "title": "Title",
            "targetContentIdentifier": "document/1",
            "webpageURL": "https://example.com/1",
            "persistentIdentifier": "persistent",
            "requiredUserInfoKeys": [
              "array",
              "null"
            ],
            "expirationDate": {"$date": "2026-05-09T06:13:20Z"},
            "userInfo": {
              "array": [
                "a",
                1,
                null,
                true,
                1.5
              ],
              "data": {"$data": "AAH/", "$bytes": 3},
              "date": {"$date": "2023-03-08T20:26:40.25Z"},
              "dictionary": {
                "x": {
                  "y": "z"
                }
              },
              "empty": {},
              "none": [],
              "null": null,
              "set": {"$set": [
                "a",
                "b",
                3,
                [
                  "c"
                ]
              ]},
              "url": {"$url": "https://example.com/a"}
            }
          },
          "userInfo": {
            "name": "n",
            "nested": {
              "list": [
                1,
                2,
                {
                  "k": true
                }
              ]
            },
            "zoom": 1.5
          },
          "snapshots": {
            "": {"$data": "AQID", "$bytes": 3},
            "dark": {"$data": "", "$bytes": 0}
          }
        }

        """)
  }

  @Test func `an empty state is its version`() {
    #expect(SavedState().json() == "{\n  \"version\": 0\n}\n")
  }

  @Test(
    arguments: [
      (.real(1), "1.0"), (.integer(1), "1"), (.real(-0.0), "-0.0"), (.real(1e300), "1e+300"),
      (.real(.nan), #"{"$real": "nan"}"#), (.real(-.infinity), #"{"$real": "-inf"}"#),
      ("a\"\\\n\t\u{1B}\u{9B}\u{202E}é🤡\0", #""a\"\\\n\t\u001b\u009b\u202eé🤡\u0000""#),
      (.data([1, 2, 3, 4, 5]), #"{"$bytes": 5}"#),
      (.date(.distantPast), #"{"$date": "0000-12-30T00:00:00Z"}"#),
      (.set([]), #"{"$set": []}"#), (.dictionary([:]), "{}"),
    ] as [(UserInfoValue, String)])
  func `each kind of value is told from the others`(value: UserInfoValue, text: String) {
    let state = SavedState(activity: UserActivity("a", userInfo: ["k": value]))
    #expect(state.json(dataLimit: 4).contains("\"k\": \(text)\n"), "\(state.json())")
  }

  @Test func `a date that no calendar has is shown in seconds`() {
    // No arguments: the description of such a date traps.
    for (seconds, text) in [(.nan, #"{"$real": "nan"}"#), (1e20, "1e+20")] as [(Double, String)] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let text = "\"k\": {\"$date\": \(text)}\n"
      #expect(SavedState(userInfo: ["k": .date(date)]).json().contains(text))
    }
  }

  @Test func `a dictionary that looks like a tag is tagged itself`() {
    let state = SavedState(userInfo: ["a": ["$date": "x"], "b": ["date": "$x"]])
    let text = state.json()
    #expect(text.contains("\"a\": {\"$dictionary\": {\n"))
    #expect(text.contains("\"b\": {\n"))
  }

  @Test func `the calendar is that of Foundation`() {
    var random = SplitMix64(seed: 51)
    var style = Date.ISO8601FormatStyle()
    style.timeZone = .gmt
    for _ in 0..<2_000 {
      let seconds = Int.random(in: -63_113_904_000..<252_423_993_600, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
      // Foundation's calendar is the Julian one before 1582.
      guard seconds > -13_197_600_000 else { continue }
      let state = SavedState(userInfo: ["d": .date(date)])
      #expect(state.json().contains("\"\(style.format(date))\""), "\(seconds)")
    }
  }

  @Test func `equal states have the same text, also random ones`() throws {
    var random = SplitMix64(seed: 52)
    for _ in 0..<300 {
      let state = SavedState.random(&random)
      let decoded = try SavedState(decoding: try state.encoded())
      #expect(decoded.json() == state.json())
      let object = try JSONSerialization.jsonObject(with: Data(state.json().utf8))
      #expect(object is [String: Any])
    }
  }

  @Test func `what is too deep for any state is left out`() {
    var value: UserInfoValue = 1
    for _ in 0..<1_000 { value = .set([value]) }
    let state = SavedState(activity: UserActivity("a", userInfo: ["deep": value]))
    #expect(state.json().contains(#"{"$omitted": "deeper than 512"}"#))
  }
}
