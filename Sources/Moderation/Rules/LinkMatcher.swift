import Text

/// Judges the domains of links. A domain includes its subdomains.
struct LinkMatcher: Sendable {
    private let domains: Set<String>
    private let mode: RuleDefinition.LinkMode

    init(_ domains: [String], mode: RuleDefinition.LinkMode) {
        self.domains = Set(domains.compactMap(Self.domain))
        self.mode = mode
    }

    /// An estimate of the size in bytes.
    var size: Int { domains.reduce(0) { $0 + 64 + $1.utf8.count } }

    /// Returns a domain in the form used for comparison; nil if the text is not a domain.
    static func domain(_ text: String) -> String? {
        let host = HostName.trimmed(FoldedText(text).scalars.map(HostName.plainDot)[...])
        guard !host.isEmpty, host.count <= longest, host.allSatisfy(HostName.isPart) else { return nil }
        return HostName.text(host)
    }

    /// Returns the first host in `text` that the rule rejects. For a deny list, names without a scheme count as well,
    /// since links are also written so. For an allow list they do not, since too many words look like one. A lookalike
    /// of a listed host is denied with it, but is not allowed with it.
    func firstMatch(in text: FoldedText) -> String? {
        var budget = SearchSteps.unlimited
        return firstMatch(in: text, &budget)
    }

    /// Same as ``firstMatch(in:)``. Also returns nil if the budget runs out.
    func firstMatch(in text: FoldedText, _ budget: inout SearchSteps) -> String? {
        budget.spend(text.scalars.count)
        for (host, isURL) in HostName.all(in: text.scalars) {
            guard !budget.isExhausted else { return nil }
            switch mode {
            case .deny: if isListed(host, &budget) { return HostName.text(host) }
            case .allowOnly:
                if isURL, !isListed(host, &budget) { return budget.isExhausted ? nil : HostName.text(host) }
            }
        }
        guard mode == .deny, text.isDisguised, !budget.isExhausted else { return nil }
        budget.spend(text.skeleton.count)
        for (host, _) in HostName.all(in: text.skeleton) where isListed(host, &budget) { return HostName.text(host) }
        return nil
    }

    /// Compares the last scalars of a host, up to the maximum length of a name. A longer host costs no more.
    private func isListed(_ host: ArraySlice<UInt32>, _ budget: inout SearchSteps) -> Bool {
        var rest = host.suffix(Self.longest)
        if rest.startIndex > host.startIndex, host[rest.startIndex - 1] != 0x2E {
            guard let dot = rest.firstIndex(of: 0x2E) else { return false }
            rest = rest[(dot + 1)...]
        }
        while !budget.isExhausted {
            budget.spend(rest.count)
            if domains.contains(HostName.text(rest)) { return true }
            guard let dot = rest.firstIndex(of: 0x2E) else { return false }
            rest = rest[(dot + 1)...]
        }
        return false
    }

    /// Maximum length of a domain name in scalars (RFC 1035, section 2.3.4, in bytes).
    static let longest = 253
}

/// Host names in a folded text.
enum HostName {
    /// Returns the candidates for host names, in order, with a flag for those in a URL.
    static func all(in text: [UInt32]) -> [(host: ArraySlice<UInt32>, isURL: Bool)] {
        let text = text.map(plainDot)
        var found: [(host: ArraySlice<UInt32>, isURL: Bool)] = []
        var place = 0
        while place < text.count {
            guard isPart(text[place]) else {
                place += 1
                continue
            }
            let end = text[place...].firstIndex { !isPart($0) } ?? text.count
            if isScheme(text[place..<end]), let authority = authority(after: end, in: text) {
                found.append((authority, true))
                place = max(authority.endIndex, end)
                continue
            }
            let name = trimmed(text[place..<end])
            if name.contains(0x2E) { found.append((name, text[place..<end].starts(with: www))) }
            place = end
        }
        return found.filter { !$0.host.isEmpty }
    }

    /// Returns the host of `://user@host:port`.
    private static func authority(after place: Int, in text: [UInt32]) -> ArraySlice<UInt32>? {
        // Browsers treat a backslash as a slash.
        guard place + 2 < text.count, text[place] == 0x3A, isSlash(text[place + 1]), isSlash(text[place + 2]) else {
            return nil
        }
        let rest = text[(place + 3)...]
        let authority = rest.prefix { !isSlash($0) && $0 != 0x3F && $0 != 0x23 && $0 != 0x20 }
        let host = authority.lastIndex(of: 0x40).map { authority[($0 + 1)...] } ?? authority
        return host.first == 0x5B ? host.prefix { $0 != 0x5D } : trimmed(host.prefix(while: isPart))
    }

    /// Returns the name without leading and trailing dots.
    static func trimmed(_ name: ArraySlice<UInt32>) -> ArraySlice<UInt32> {
        var name = name
        while name.first == 0x2E { name = name.dropFirst() }
        while name.last == 0x2E { name = name.dropLast() }
        return name
    }

    static func text(_ host: ArraySlice<UInt32>) -> String {
        var text = String.UnicodeScalarView()
        for value in host {
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }

    /// Returns whether a scalar may be part of a host name: letters, digits, marks, hyphens, underscores and dots.
    static func isPart(_ scalar: UInt32) -> Bool {
        scalar == 0x2D || scalar == 0x2E || ScalarSet.Kind.word.contains(scalar)
    }

    /// Maps the ideographic full stop, which browsers treat as a dot, to the full stop.
    static func plainDot(_ scalar: UInt32) -> UInt32 { scalar == 0x3002 ? 0x2E : scalar }

    private static func isSlash(_ scalar: UInt32) -> Bool { scalar == 0x2F || scalar == 0x5C }

    private static func isScheme(_ run: ArraySlice<UInt32>) -> Bool {
        schemes.contains { run.suffix($0.count).elementsEqual($0) }
    }

    private static let schemes = ["http", "https"].map { $0.unicodeScalars.map(\.value) }
    private static let www = "www.".unicodeScalars.map(\.value)
}
