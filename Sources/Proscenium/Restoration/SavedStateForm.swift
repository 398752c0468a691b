// SPDX-License-Identifier: Apache-2.0

/// The bytes of a saved state, versions 1 to 3 of the form.
///
/// A byte with the version of the form comes first. Fields follow, each with its number, the length
/// of its content and the content, in ascending order of their numbers; a reader passes over
/// numbers that it does not know. What a state does not have is left out.
///
/// | field | content |
/// |---|---|
/// | 1 | the application's version: a number |
/// | 2 | the activity's type: a text |
/// | 3 | the title |
/// | 4 | the target content identifier |
/// | 5 | the web page's URL |
/// | 6 | the persistent identifier |
/// | 7 | the required keys: entries, each a name |
/// | 8 | the expiration date |
/// | 9 | the activity's `userInfo`: entries, each a name and a value |
/// | 10 | the session's `userInfo`: the same |
/// | 11 | snapshots: entries, each a name, a length and bytes |
/// | 12 | wakes: the number of the last one, their count, and the wakes |
/// | 13 | clients: their count, and the clients |
///
/// A state has the lowest version that can say it: 3 with field 13, else 2 with field 12, since a
/// reader that passed over one of them would lose it, and 1 without both.
///
/// A *wake* is its number, the integer of its time in milliseconds since 1970 (doubled, as an
/// integer of a value is), and a length, behind which come fields 2 to 9 of its activity. Wakes
/// come in the order of their numbers. A *client* is the 16 bytes of its identifier, the most
/// significant one first, and the number of its last input. The client comes first that has been
/// without a line for the longest time.
///
/// A *number* has seven bits to a byte, the lowest first; each byte but the last has its highest
/// bit set. A *text* is UTF-8, a *name* a text after its length. *Entries* come after their number,
/// each greater than the one before when they are compared byte by byte, so that equal contents
/// have equal bytes. A *value* begins with a byte: its kind in the upper four bits, and a number
/// below 15 in the lower ones, or 15 and the number behind it.
enum SavedStateForm {
  /// The last version that is read.
  static let latestVersion: UInt8 = 3

  /// The lowest version that can say what a state has.
  static func version(hasWakes: Bool, hasClients: Bool) -> UInt8 {
    hasClients ? 3 : hasWakes ? 2 : 1
  }

  /// A number in the lower bits of a value's first byte that says that the number follows it.
  static let numberFollows: UInt8 = 15

  /// The fields.
  enum Field: UInt8 {
    case stateVersion = 1
    case activityType
    case title
    case targetContentIdentifier
    case webpageURL
    case persistentIdentifier
    case requiredUserInfoKeys
    case expirationDate
    case activityUserInfo
    case userInfo
    case snapshots
    case wakes
    case clients

    /// Whether the field is one of an activity.
    var belongsToActivity: Bool {
      Self.activityType.rawValue...Self.activityUserInfo.rawValue ~= rawValue
    }

    /// The properties that lead to what the field holds.
    var keyPath: String {
      switch self {
      case .stateVersion: "version"
      case .activityType: "activity.activityType"
      case .title: "activity.title"
      case .targetContentIdentifier: "activity.targetContentIdentifier"
      case .webpageURL: "activity.webpageURL"
      case .persistentIdentifier: "activity.persistentIdentifier"
      case .requiredUserInfoKeys: "activity.requiredUserInfoKeys"
      case .expirationDate: "activity.expirationDate"
      case .activityUserInfo: "activity.userInfo"
      case .userInfo: "userInfo"
      case .snapshots: "snapshots"
      case .wakes: "wakes"
      case .clients: "clients"
      }
    }
  }

  /// The kinds of values, each with what its number means.
  enum Kind: UInt8 {
    /// Nothing: 0.
    case null
    /// 0 for false, 1 for true.
    case boolean
    /// The integer, doubled: 2n for n from 0 on, and -2n - 1 for n below.
    case integer
    /// Nothing: 0. Eight bytes follow, those of the bits, lowest first.
    case real
    /// Nothing: 0. Eight bytes follow: the seconds since the reference date as a real.
    case date
    /// The length of the UTF-8 text that follows.
    case string
    /// The same of a URL's text.
    case url
    /// The count of bytes that follow.
    case data
    /// The count of values that follow.
    case array
    /// The count of entries that follow, each a name and a value.
    case dictionary
    /// The count of entries that follow, each a value.
    case set
  }

  /// Tells whether a name comes before a different one in entries: names are compared behind their
  /// lengths.
  static func precedes(_ left: String, _ right: String) -> Bool {
    let (leftCount, rightCount) = (left.utf8.count, right.utf8.count)
    if leftCount == rightCount { return left.utf8.lexicographicallyPrecedes(right.utf8) }
    // The lowest bits of a length come first.
    var rest = (left: leftCount, right: rightCount)
    func byte(_ rest: Int) -> Int { rest < 0x80 ? rest : rest & 0x7F | 0x80 }
    while byte(rest.left) == byte(rest.right) { rest = (rest.left >> 7, rest.right >> 7) }
    return byte(rest.left) < byte(rest.right)
  }

  /// How many bytes a number has.
  static func length(of number: UInt64) -> Int {
    max(1, (70 - number.leadingZeroBitCount) / 7)
  }

  /// An integer as a number that is small where the integer is near to 0.
  static func doubled(_ integer: Int64) -> UInt64 {
    UInt64(bitPattern: integer << 1 ^ integer >> 63)
  }

  /// The integer of which ``doubled(_:)`` made the number.
  static func halved(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}
