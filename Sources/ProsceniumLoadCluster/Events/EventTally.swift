// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium

  /// What came of the numbered events of one session, in the order in which they came.
  ///
  /// It is the session's state: an event whose effect is lost on the way to another node is missing
  /// there.
  struct EventTally: Sendable, Equatable {
    /// What a session is asked to answer with its tally.
    static let question = SceneMessage("?")

    /// How many missing numbers are remembered; one beyond them that comes late counts as double.
    private static let limit = 1_000

    /// The highest number that came.
    private(set) var last = 0
    /// How many came that had come before.
    private(set) var double = 0
    /// How many came behind one with a higher number.
    private(set) var late = 0
    /// How many below the highest did not come.
    private(set) var skipped = 0
    /// The first of those.
    private(set) var missing: Set<Int> = []

    init() {}

    /// How many came, each counted once.
    var given: Int { last - skipped }

    /// Whether an event came, as far as that is remembered.
    func has(_ number: Int) -> Bool { number <= last && !missing.contains(number) }

    mutating func take(_ number: Int) {
      if number > last {
        skipped += number - last - 1
        missing.formUnion((last + 1..<number).prefix(Self.limit - missing.count))
        last = number
      } else if missing.remove(number) != nil {
        skipped -= 1
        late += 1
      } else {
        double += 1
      }
    }

    var text: String {
      ([last, double, late, skipped] + missing.sorted()).map(String.init).joined(separator: " ")
    }

    /// Reads the text of a tally, `nil` if it is none.
    init?(_ text: String) {
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      guard numbers.count >= 4 else { return nil }
      (last, double, late, skipped) = (numbers[0], numbers[1], numbers[2], numbers[3])
      missing = Set(numbers[4...])
    }
  }
#endif
