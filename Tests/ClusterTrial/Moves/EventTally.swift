// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium

  /// What came of the numbered events of one session, in the order in which they came.
  ///
  /// It is a part of the session's state: an event whose effect is lost on the way to another node
  /// is missing there.
  struct EventTally: Sendable, Equatable {
    /// What a session is asked to answer with its tally.
    static let question = SceneMessage("events")

    /// The highest number that came.
    private(set) var last = 0
    /// How many came that had come before.
    private(set) var double = 0
    /// How many came behind one with a higher number.
    private(set) var late = 0
    /// The numbers below the highest that did not come.
    private(set) var missing: Set<Int> = []

    init() {}

    /// How many came, each counted once.
    var given: Int { last - missing.count }

    mutating func take(_ number: Int) {
      if number > last {
        missing.formUnion(last + 1..<number)
        last = number
      } else if missing.remove(number) != nil {
        late += 1
      } else {
        double += 1
      }
    }

    var text: String {
      ([last, double, late] + missing.sorted()).map(String.init).joined(separator: " ")
    }

    /// Reads the text of a tally, `nil` if it is none.
    init?(_ text: String) {
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      guard numbers.count >= 3 else { return nil }
      (last, double, late) = (numbers[0], numbers[1], numbers[2])
      missing = Set(numbers[3...])
    }
  }
#endif
