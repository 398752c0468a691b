// SPDX-License-Identifier: Apache-2.0

/// The wakes of one session, in the order in which they are due.
struct WakeList: Sendable, Equatable {
  /// How many wakes a session may have.
  static let limit = 64

  /// By the time at which they are due; with the same time, in the order in which they were made.
  private(set) var wakes: [Wake] = []
  /// The number of the wake that was made last, so that none is given twice.
  private(set) var last: UInt64 = 0

  /// No wakes, and none before.
  init() {}

  /// Keeps wakes: the first ones that are due, each number once.
  init(_ wakes: [Wake], last: UInt64 = 0) {
    var numbers: Set<Wake.ID> = []
    let unique = wakes.filter { numbers.insert($0.id).inserted }
    self.wakes = Array(unique.sorted(by: Self.precedes).prefix(Self.limit))
    self.last = self.wakes.reduce(last) { max($0, $1.id.rawValue) }
  }

  /// Whether a wake comes before another one.
  static func precedes(_ left: Wake, _ right: Wake) -> Bool {
    (left.time, left.id) < (right.time, right.id)
  }

  /// The wakes in the order in which they were made.
  var numbered: [Wake] { wakes.sorted { $0.id < $1.id } }

  /// When the first one is due.
  var next: Int64? { wakes.first?.time }

  /// The wakes that are due by a time, in order.
  func due(by time: Int64) -> ArraySlice<Wake> {
    wakes.prefix { $0.time <= time }
  }

  subscript(_ id: Wake.ID) -> Wake? {
    wakes.first { $0.id == id }
  }

  /// Adds a wake.
  ///
  /// - Returns: Its name, or nil if there are as many as there may be.
  mutating func add(_ activity: UserActivity, at time: Int64) -> Wake.ID? {
    guard wakes.count < Self.limit, last < .max else { return nil }
    last += 1
    let wake = Wake(id: Wake.ID(rawValue: last), time: time, activity: activity.forSaving)
    let place = wakes.firstIndex { Self.precedes(wake, $0) } ?? wakes.endIndex
    wakes.insert(wake, at: place)
    return wake.id
  }

  /// Removes a wake; returns whether it was there.
  mutating func remove(_ id: Wake.ID) -> Bool {
    guard let place = wakes.firstIndex(where: { $0.id == id }) else { return false }
    wakes.remove(at: place)
    return true
  }
}
