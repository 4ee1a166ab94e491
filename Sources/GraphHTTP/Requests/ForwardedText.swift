import GraphServices

/// The grammar of one element of `Forwarded` (RFC 7239, section 4) and of `X-Forwarded-For`.
enum ForwardedText {
    /// Returns the address of the parameter `for`, which must occur once: `for=192.0.2.1`, `for="[2001:db8::1]";by=_x`.
    /// Nil for anything else, including hidden names (`unknown`, `_x`).
    static func node(inForwarded element: Substring.UTF8View) -> IPAddress? {
        var node: Substring.UTF8View?
        for pair in element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            let pair = trimmed(pair)
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(Substring(pair[..<equals])).lowercased()
            guard name == "for" else { continue }
            guard node == nil else { return nil }
            node = pair[pair.index(after: equals)...]
        }
        guard var node else { return nil }
        if node.first == UInt8(ascii: "\"") {
            guard node.count >= 2, node.last == UInt8(ascii: "\"") else { return nil }
            node = node.dropFirst().dropLast()
        }
        return address(node, allowsBareSix: false)
    }

    static func node(inForwardedFor element: Substring.UTF8View) -> IPAddress? {
        address(trimmed(element), allowsBareSix: true)
    }

    /// Parses `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`, and `2001:db8::1` if that is allowed.
    private static func address(_ text: Substring.UTF8View, allowsBareSix: Bool) -> IPAddress? {
        // The longest of these has 47 bytes and a port.
        guard text.count <= 64 else { return nil }
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")), isPort(text[text.index(after: end)...]) else {
                return nil
            }
            let inner = text[text.index(after: text.startIndex)..<end]
            return IPAddress(String(Substring(inner))).flatMap { $0.bytes.count == 16 ? $0 : nil }
        }
        let colons = text.count { $0 == UInt8(ascii: ":") }
        if colons == 1, let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            guard isPort(text[colon...]) else { return nil }
            return IPAddress(String(Substring(text[..<colon])))
        }
        guard colons == 0 || allowsBareSix else { return nil }
        return IPAddress(String(Substring(text)))
    }

    /// Returns true for an empty text, or a colon and one to five digits.
    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first else { return true }
        let digits = text.dropFirst()
        return first == UInt8(ascii: ":") && 1...5 ~= digits.count
            && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let first = text.first, isBlank(first) { text = text.dropFirst() }
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
