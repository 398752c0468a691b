// SPDX-License-Identifier: Apache-2.0

extension SavedState {
  /// The state as JSON for people, in lines, with keys in the order of their bytes.
  ///
  /// Equal states have the same text if their texts have the same bytes. What JSON has no word for
  /// is an object with a tag: `{"$data": "AQI=", "$bytes": 2}`, `{"$date": "2026-05-01T12:00:00Z"}`
  /// with up to nine digits of a fraction, `{"$url": "…"}`, `{"$set": […]}` and
  /// `{"$real": "nan"}`. An object in which one key of the state begins with `$` has the tag
  /// `$dictionary`. A date before March of the year 0 or after 9999 is given in seconds since the
  /// reference date.
  /// Characters that a terminal would obey are escaped.
  ///
  /// - Parameters:
  ///   - version: The application's version of the state.
  ///   - dataLimit: How many bytes data may have to be shown; of more there is only `$bytes`.
  /// - Returns: The text, with a line feed at its end.
  public func json(version: StateVersion = .unstamped, dataLimit: Int = .max) -> String {
    var writer = StateJSONWriter(dataLimit: dataLimit)
    writer.write(self, version)
    return writer.text + "\n"
  }
}
