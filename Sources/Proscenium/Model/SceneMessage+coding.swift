// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Messages, replies and frames that are values of the program's own types.
extension SceneMessage {
  /// Creates a message from a value, which is written as JSON.
  ///
  /// Equal values have equal bytes, if they encode themselves alike: keys are sorted.
  ///
  /// - Parameter value: The value.
  /// - Throws: `notEncodable`, with the path of what cannot be written, such as a number that is
  ///   not finite.
  public init(encoding value: some Encodable) throws(SceneError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      self.init(try encoder.encode(value))
    } catch EncodingError.invalidValue(let found, let context) {
      throw SceneError(
        .notEncodable,
        "\(Self.path(context.codingPath)): expected a value that JSON has, found "
          + "\(Self.shortened(found))")
    } catch {
      throw SceneError(.notEncodable, Self.shortened(error))
    }
  }

  /// Reads the message as a value, which was written as JSON.
  ///
  /// - Parameter type: The type of the value.
  /// - Returns: The value.
  /// - Throws: `notDecodable`, with the path of what is not as expected.
  public func decode<Value: Decodable>(as type: Value.Type = Value.self) throws(SceneError) -> Value
  {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch DecodingError.typeMismatch(let expected, let context) {
      throw Self.failure(context.codingPath, "expected \(expected), found another type")
    } catch DecodingError.valueNotFound(let expected, let context) {
      throw Self.failure(context.codingPath, "expected \(expected), found null")
    } catch DecodingError.keyNotFound(let key, let context) {
      throw Self.failure(context.codingPath + [key], "expected a value, found none")
    } catch DecodingError.dataCorrupted(let context) {
      throw Self.failure(context.codingPath, context.debugDescription)
    } catch {
      throw SceneError(.notDecodable, Self.shortened(error))
    }
  }

  private static func failure(_ path: [any CodingKey], _ sentence: String) -> SceneError {
    SceneError(.notDecodable, "\(Self.path(path)): \(shortened(sentence))")
  }

  /// A path such as `steps[2].done`; `the message` for all of it.
  private static func path(_ keys: [any CodingKey]) -> String {
    var path = ""
    for key in keys {
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return path.isEmpty ? "the message" : shortened(path)
  }

  private static func shortened(_ value: Any) -> String { String("\(value)".prefix(200)) }
}
