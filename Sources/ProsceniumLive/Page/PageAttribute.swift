// SPDX-License-Identifier: Apache-2.0

/// An attribute of an element: its value is escaped.
public struct PageAttribute: Sendable, Hashable {
  /// The name.
  public let name: String

  /// The value, or `nil` for an attribute without one.
  public let value: String?

  /// What a declaration is about: the value of the attribute `data-value`.
  let subject: String?

  /// Whether the element has the attribute.
  private(set) var isThere = true

  /// Creates an attribute that has no function of its own here.
  ///
  /// - Parameters:
  ///   - name: Lower-case letters, digits and hyphens: `aria-label`. `style`, `srcdoc`, `id`,
  ///     `data-keep` and what begins with `on` are mistakes of the program: the content security
  ///     policy forbids the first ones, the page has functions for the others.
  ///   - value: The value; nil for an attribute without one.
  public init(_ name: StaticString, _ value: String? = nil) {
    let name = "\(name)"
    precondition(Self.isAllowed(name), "\(name) is no attribute that a page can have")
    self.init(declared: name, value)
  }

  private init(declared name: String, _ value: String?, about subject: String? = nil) {
    self.name = name
    self.value = value
    self.subject = subject
  }

  /// The input that a field sends when it is changed, if this attribute declares it.
  var declaredInput: DeclaredInput? {
    guard name == "data-input", let value else { return nil }
    return DeclaredInput(name: value, id: subject)
  }

  private static func isAllowed(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
    }
    return isPlain && !name.isEmpty && !name.hasPrefix("on")
      && !["style", "srcdoc", "id", "data-keep"].contains(name)
  }
}

// What a page declares that the host is told of, and nothing else is.
extension PageAttribute {
  /// A click, or the Enter key on it, sends an input.
  ///
  /// - Parameters:
  ///   - name: The ``PageInput/name`` of the input.
  ///   - value: Its ``PageInput/value``, such as what the button is about.
  /// - Returns: The attribute.
  public static func onClick(_ name: String, value: String? = nil) -> PageAttribute {
    PageAttribute(declared: "data-click", name, about: value)
  }

  /// Each change of a field sends an input with what is in the field as ``PageInput/value``.
  ///
  /// While one is on its way, changes gather in the next one. The field needs an id of its own:
  /// then what it is to show after the input is sent even if it was to show the same before.
  ///
  /// - Parameters:
  ///   - name: The ``PageInput/name`` of the input.
  ///   - id: Which one of several fields it is, as `id` in ``PageInput/fields``.
  /// - Returns: The attribute.
  public static func onInput(_ name: String, id: String? = nil) -> PageAttribute {
    PageAttribute(declared: "data-input", name, about: id)
  }

  /// Sending a form sends an input with the form's fields as ``PageInput/fields``; then the fields
  /// are empty again.
  ///
  /// - Parameter name: The ``PageInput/name`` of the input.
  /// - Returns: The attribute.
  public static func onSubmit(_ name: String) -> PageAttribute {
    PageAttribute(declared: "data-submit", name)
  }
}

extension PageAttribute {
  /// Names of classes, with spaces between them.
  public static func `class`(_ names: String) -> PageAttribute { PageAttribute("class", names) }

  /// What is in a field when the page is made.
  public static func value(_ text: String) -> PageAttribute { PageAttribute("value", text) }

  /// What a field of a form is called.
  public static func name(_ text: String) -> PageAttribute { PageAttribute("name", text) }

  /// The kind of a field or a button.
  public static func type(_ text: String) -> PageAttribute { PageAttribute("type", text) }

  /// What people who do not see the page are told that the element is.
  public static func label(_ text: String) -> PageAttribute { PageAttribute("aria-label", text) }

  /// A change in the element is read out to people who do not see it, when they are not busy.
  public static let announced = PageAttribute("aria-live", "polite")

  /// A text field with ``onInput(_:id:)`` is empty at once when its form was sent, so that what is
  /// typed next does not go on what was sent.
  public static let cleared = PageAttribute("data-clear")

  /// A new element with it takes the focus.
  public static let focused = PageAttribute("data-focus")

  /// An attribute without a value, such as `checked`, which is there or not.
  public static func flag(_ name: StaticString, _ isThere: Bool) -> PageAttribute {
    var attribute = PageAttribute(name)
    attribute.isThere = isThere
    return attribute
  }

  /// Where a link leads: a path of this site, or an address with `https:`, `http:` or `mailto:`.
  ///
  /// An address of another kind, such as one that would run a script, leads nowhere.
  public static func href(_ address: String) -> PageAttribute {
    PageAttribute("href", isHarmless(address) ? address : "#")
  }

  private static func isHarmless(_ address: String) -> Bool {
    // Byte by byte, as browsers do: a mark after a colon makes one `Character` of both. They drop
    // control characters and white space before they look for the scheme.
    let bytes = address.utf8
    guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return false }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      !bytes[..<colon].contains(where: { "/?#".utf8.contains($0) })
    else { return true }
    return ["http", "https", "mailto"].contains(Substring(bytes[..<colon]).lowercased())
  }
}
