// SPDX-License-Identifier: Apache-2.0

/// Writes a page, element by element; all text in it is escaped.
///
/// ```swift
/// page.add(.h1, "Notes")
/// page.add(.ul, id: "notes") { page in
///   for note in notes {
///     page.add(.li, id: note.id) { $0.add(note.text) }
///   }
/// }
/// ```
///
/// An element with an `id` is a *part*: if the page changes, the parts are sent that differ. So an
/// id for what changes alone keeps changes small. A browser keeps a part's element, with its focus
/// and scroll position, even if others come before it.
public struct PageBuilder: ~Copyable, Sendable {
  /// How long an id may be, in bytes of UTF-8.
  public static let idLimit = 256

  /// How large a page may be, in bytes.
  public static let sizeLimit = 256 << 10

  /// How deep elements may be in others.
  public static let depthLimit = 128

  private var page = RenderedPage()
  private var ids: Set<String> = []
  private var depth = 0
  private var problem: PageProblem?

  init() {
    page.bytes.reserveCapacity(4_096)
  }

  // MARK: - What a page consists of

  /// Adds text.
  public mutating func add(_ text: String) {
    page.bytes.append(escaped: text)
  }

  /// Adds HTML as it is.
  public mutating func add(_ raw: RawHTML) {
    page.bytes.append(contentsOf: raw.html.utf8)
  }

  /// Adds an element with a text.
  ///
  /// - Parameters:
  ///   - tag: Which element.
  ///   - text: The text in it.
  ///   - id: Its id, up to ``idLimit`` bytes, unlike all others of the page.
  ///   - attributes: Its attributes.
  public mutating func add(
    _ tag: PageTag, _ text: String, id: String? = nil, _ attributes: PageAttribute...
  ) {
    add(tag, id: id, attributes: attributes) { $0.add(text) }
  }

  /// Adds an element without content.
  ///
  /// - Parameters:
  ///   - tag: Which element.
  ///   - id: Its id, up to ``idLimit`` bytes, unlike all others of the page.
  ///   - attributes: Its attributes.
  public mutating func add(_ tag: PageTag, id: String? = nil, _ attributes: PageAttribute...) {
    add(tag, id: id, attributes: attributes) { _ in }
  }

  /// Adds an element.
  ///
  /// - Parameters:
  ///   - tag: Which element.
  ///   - id: Its id, up to ``idLimit`` bytes, unlike all others of the page.
  ///   - attributes: Its attributes.
  ///   - content: Adds what is in it; not called for elements that have no content.
  public mutating func add(
    _ tag: PageTag, id: String? = nil, _ attributes: PageAttribute...,
    content: (inout PageBuilder) -> Void
  ) {
    add(tag, id: id, attributes: attributes, content: content)
  }

  private mutating func add(
    _ tag: PageTag, id: String?, attributes: [PageAttribute],
    content: (inout PageBuilder) -> Void
  ) {
    guard problem == nil, depth < Self.depthLimit, page.bytes.count <= Self.sizeLimit else {
      problem = problem ?? (depth < Self.depthLimit ? .tooLarge : .tooDeep)
      return
    }
    let part = id.flatMap { beginPart($0, tag, attributes.lazy.compactMap(\.declaredInput).first) }
    write(tag, part, attributes)
    if !tag.isVoid {
      depth += 1
      content(&self)
      depth -= 1
      page.bytes += [0x3C, 0x2F]
      page.bytes.append(contentsOf: tag.rawValue.utf8)
      page.bytes.append(0x3E)
    }
    if let part { page.endPart(part) }
  }

  // MARK: - Elements

  private mutating func beginPart(
    _ id: String, _ tag: PageTag, _ input: DeclaredInput?
  ) -> Int? {
    guard (1...Self.idLimit).contains(id.utf8.count) else {
      problem = .wrongID(id)
      return nil
    }
    guard id != LivePage.statusID else {
      problem = .reservedID(id)
      return nil
    }
    guard ids.insert(id).inserted else {
      problem = .repeatedID(id)
      return nil
    }
    return page.beginPart(id, tag, input)
  }

  private mutating func write(_ tag: PageTag, _ part: Int?, _ attributes: [PageAttribute]) {
    page.bytes.append(0x3C)
    page.bytes.append(contentsOf: tag.rawValue.utf8)
    if let part { page.bytes.append(attribute: "id", page.parts[part].id) }
    for attribute in attributes where attribute.isThere {
      page.bytes.append(attribute: attribute.name, attribute.value)
      if let subject = attribute.subject { page.bytes.append(attribute: "data-value", subject) }
    }
    page.bytes.append(0x3E)
    if tag.dropsLineBreak { page.bytes.append(0x0A) }
  }

  /// The page, when all of it is written, or why it cannot be shown.
  consuming func finish() -> Result<RenderedPage, PageProblem> {
    if page.bytes.count > Self.sizeLimit { problem = problem ?? .tooLarge }
    return problem.map { .failure($0) } ?? .success(page)
  }
}

/// Why a page cannot be shown.
enum PageProblem: Error, Equatable, CustomStringConvertible {
  case tooLarge
  case tooDeep
  case wrongID(String)
  case repeatedID(String)
  case reservedID(String)

  var description: String {
    switch self {
    case .tooLarge: "expected a page of at most \(PageBuilder.sizeLimit) bytes, found more"
    case .tooDeep: "expected elements at most \(PageBuilder.depthLimit) deep, found more"
    case .wrongID(let id):
      "expected an id of 1 to \(PageBuilder.idLimit) bytes, found \(id.utf8.count)"
    case .reservedID(let id): "expected another id than \"\(id)\", which the host uses"
    case .repeatedID(let id): "expected each id once, found two elements with the id \"\(id)\""
    }
  }
}

extension [UInt8] {
  /// Appends an attribute, its value escaped.
  mutating func append(attribute name: String, _ value: String?) {
    append(0x20)
    append(contentsOf: name.utf8)
    guard let value else { return }
    append(contentsOf: [0x3D, 0x22])
    append(escaped: value)
    append(0x22)
  }

  /// Appends text with everything replaced that means something in an element or in an attribute;
  /// control characters, which HTML has not, become U+FFFD.
  mutating func append(escaped text: String) {
    for byte in text.utf8 {
      switch byte {
      case 0x26: append(contentsOf: "&amp;".utf8)
      case 0x3C: append(contentsOf: "&lt;".utf8)
      case 0x3E: append(contentsOf: "&gt;".utf8)
      case 0x22: append(contentsOf: "&quot;".utf8)
      case 0x27: append(contentsOf: "&#39;".utf8)
      // A browser would take it for a line break.
      case 0x0D: append(contentsOf: "&#13;".utf8)
      case 0x09, 0x0A: append(byte)
      case 0x00..<0x20, 0x7F: append(contentsOf: "\u{FFFD}".utf8)
      default: append(byte)
      }
    }
  }
}
