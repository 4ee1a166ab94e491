/// A text that is compared and hashed by its bytes, without Unicode normalisation.
///
/// Names that come from outside (members, parameters, fields of a form) are keys of this kind: two spellings of one
/// letter are two names, and no spelling makes a comparison slow.
package struct UTF8Key: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
