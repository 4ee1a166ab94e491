/// `@username` in a text.
package enum Mentions {
    /// The names mentioned, each once by its folded key, in their order; at most `limit`. An `@` inside a word, as in
    /// an email address, mentions nobody; a full stop at the end of a name ends the sentence.
    package static func names(in text: String, limit: Int) -> [String] {
        var names: [String] = []
        var previous: UInt8 = 0x20
        var bytes = text.utf8[...]
        while let byte = bytes.popFirst() {
            let isStart = byte == UInt8(ascii: "@") && !isNamePart(previous) && previous < 0x80
            previous = byte
            guard isStart else { continue }
            var name = bytes.prefix(while: isNamePart)
            bytes = bytes.dropFirst(name.count)
            previous = name.last ?? byte
            while name.last == UInt8(ascii: ".") { name.removeLast() }
            guard let first = name.first, isAlphanumeric(first) else { continue }
            let key = NameFolding.key(String(decoding: name, as: UTF8.self))
            if !names.contains(key) { names.append(key) }
            if names.count == limit { break }
        }
        return names
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
