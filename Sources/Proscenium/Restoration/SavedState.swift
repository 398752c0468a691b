// SPDX-License-Identifier: Apache-2.0

/// What a scene is restored from: everything of a session that is sealed at rest.
///
/// A value with nothing in it means a session that keeps no state.
public struct SavedState: Sendable, Equatable {
  /// The activity that the scene's delegate returned at the last state capture (R-SR-2).
  public var activity: UserActivity?

  /// Small settings of the session, property-list values only (R-SR-9).
  public var userInfo: [String: UserInfoValue]?

  /// The switcher's snapshots by variant; the one without a variant has the empty name.
  public var snapshots: [String: [UInt8]]

  /// The session's wakes, and the number of the last one.
  var wakeList: WakeList

  /// The last input of each client: the state is the one that it has led to.
  var clients: ClientMemory

  /// Creates a saved state.
  ///
  /// - Parameters:
  ///   - activity: The activity to restore the scene from.
  ///   - userInfo: The session's settings.
  ///   - snapshots: The switcher's snapshots by variant.
  public init(
    activity: UserActivity? = nil, userInfo: [String: UserInfoValue]? = nil,
    snapshots: [String: [UInt8]] = [:]
  ) {
    self.init(activity: activity, userInfo: userInfo, snapshots: snapshots, wakeList: WakeList())
  }

  init(
    activity: UserActivity?, userInfo: [String: UserInfoValue]?,
    snapshots: [String: [UInt8]], wakeList: WakeList, clients: ClientMemory = ClientMemory()
  ) {
    self.activity = activity
    self.userInfo = userInfo
    self.snapshots = snapshots
    self.wakeList = wakeList
    self.clients = clients
  }

  /// The session's wakes, in the order in which they are due; at most 64.
  ///
  /// A migration may change what their activities hold, or remove some. Of two with the same name,
  /// and of more than 64, the first ones are kept.
  public var wakes: [Wake] {
    get { wakeList.wakes }
    set { wakeList = WakeList(newValue, last: wakeList.last) }
  }

  /// What there is of this, and for the rest what there is of another: what was set while that
  /// other was withheld stays (R-SR-6).
  func over(_ withheld: SavedState) -> SavedState {
    // Neither are wakes added nor clients heard before those that are withheld can be read.
    SavedState(
      activity: activity ?? withheld.activity, userInfo: userInfo ?? withheld.userInfo,
      snapshots: snapshots.merging(withheld.snapshots) { own, _ in own },
      wakeList: withheld.wakeList, clients: withheld.clients)
  }

  var hasWakes: Bool { wakeList != WakeList() }
  var hasClients: Bool { !clients.clients.isEmpty }

  /// Whether there is nothing to keep.
  public var isEmpty: Bool {
    activity == nil && userInfo == nil && snapshots.isEmpty && !hasWakes && !hasClients
  }
}

// MARK: - Bytes

extension SavedState {
  /// Encodes the state.
  ///
  /// Equal states have equal bytes, whatever the order of their dictionaries and sets; texts count
  /// by their bytes, and reals by their bits. An activity's ``UserActivity/needsSave`` and
  /// ``UserActivity/willSave`` are not encoded.
  ///
  /// - Parameters:
  ///   - version: The application's version of the state.
  ///   - limits: What is refused.
  /// - Returns: The bytes, which ``init(decoding:)`` reads.
  /// - Throws: `limitExceeded`, with the largest parts of the state, or `notPropertyList`.
  public func encoded(
    version: StateVersion = .unstamped, limits: SavedStateLimits = SavedStateLimits()
  ) throws(SavedStateError) -> [UInt8] {
    var encoder = SavedStateEncoder(limits: limits)
    try encoder.encode(self, version: version)
    return encoder.bytes
  }

  /// Decodes a state, of whatever version of the application.
  ///
  /// Any bytes may be given. Two keys or members that Swift holds for equal although their bytes
  /// differ become one.
  ///
  /// - Parameter bytes: What ``encoded(version:limits:)`` returned.
  /// - Throws: `damaged`, with the offset and the keys that lead there, or `newerForm`.
  public init(decoding bytes: [UInt8]) throws(SavedStateError) {
    self = try Self.decode(bytes).state
  }

  /// Reads the application's version of an encoded state, and checks all of it.
  ///
  /// - Parameter bytes: What ``encoded(version:limits:)`` returned.
  /// - Returns: The version; 0 if there is no stamp.
  /// - Throws: `damaged` or `newerForm`.
  public static func version(of bytes: [UInt8]) throws(SavedStateError) -> StateVersion {
    try decode(bytes).version
  }

  /// Decodes a state and the application's version of it.
  static func decode(
    _ bytes: [UInt8]
  ) throws(SavedStateError) -> (state: SavedState, version: StateVersion) {
    var reader = SavedStateReader(bytes)
    return try reader.state()
  }
}
