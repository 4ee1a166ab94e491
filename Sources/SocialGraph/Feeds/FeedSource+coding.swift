import Database

/// The encoding of feeds in the change log: one after the other, a byte for the kind and then its number or its texts.
package enum FeedSourceCoding {
    private enum Tag: UInt8 {
        case actor = 1
        case topic = 2
        case community = 3
        case attribute = 4
        case attributed = 5
        case everything = 6
    }

    /// Each of `sources` once.
    static func encode(_ sources: [FeedSource]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sources.count * 9)
        var seen: Set<FeedSource> = []
        for source in sources where seen.insert(source).inserted { append(source, to: &bytes) }
        return bytes
    }

    /// Decodes feeds; nil: written by a newer version, or damaged.
    static func decode(_ bytes: [UInt8]) -> [FeedSource]? {
        var rest = bytes[...]
        var sources: [FeedSource] = []
        while let byte = rest.popFirst() {
            guard let source = source(Tag(rawValue: byte), &rest) else { return nil }
            sources.append(source)
        }
        return sources
    }

    private static func append(_ source: FeedSource, to bytes: inout [UInt8]) {
        func append(_ tag: Tag, _ number: Int64) {
            bytes.append(tag.rawValue)
            appendNumber(number, to: &bytes)
        }
        switch source {
        case .actor(let user): append(.actor, user.rawValue)
        case .topic(let topic): append(.topic, topic.rawValue)
        case .community(let community): append(.community, community.rawValue)
        case .attribute(let name, let key):
            bytes.append(Tag.attribute.rawValue)
            for text in [name, key] { appendText(text, to: &bytes) }
        case .attributed(let name):
            bytes.append(Tag.attributed.rawValue)
            appendText(name, to: &bytes)
        case .everything: bytes.append(Tag.everything.rawValue)
        }
    }

    private static func appendNumber(_ number: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func appendText(_ text: String, to bytes: inout [UInt8]) {
        appendNumber(Int64(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func source(_ tag: Tag?, _ rest: inout ArraySlice<UInt8>) -> FeedSource? {
        switch tag {
        case .actor: number(&rest).map { .actor(UserID(rawValue: $0)) }
        case .topic: number(&rest).map { .topic(TopicID(rawValue: $0)) }
        case .community: number(&rest).map { .community(CommunityID(rawValue: $0)) }
        case .attribute:
            if let name = text(&rest), let key = text(&rest) { .attribute(name: name, key: key) } else { nil }
        case .attributed: text(&rest).map { .attributed(name: $0) }
        case .everything: .everything
        case nil: nil
        }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let length = number(&rest), (0...Int64(rest.count)).contains(length) else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return String(decoding: rest.prefix(Int(length)), as: UTF8.self)
    }
}
