import Database
import SocialGraph

/// A position in a stored ranking, encoded as `<ranking>.<offset>`.
package struct RankingCursor: Sendable, Equatable {
    package let ranking: Int64
    /// Number of candidates already examined.
    package let offset: Int

    package init(ranking: Int64, offset: Int) {
        self.ranking = ranking
        self.offset = offset
    }

    /// Parses a cursor; nil for other text. Each cursor has one spelling.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let ranking = Self.number(parts[0]), let offset = Self.number(parts[1]),
            (1...IDSequence.maximum).contains(ranking), (1...Int64(DiscoveryLimits.rankingLength)).contains(offset)
        else { return nil }
        self.init(ranking: ranking, offset: Int(offset))
    }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard (1...16).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(Substring(digits))
    }

    package var text: String { "\(ranking).\(offset)" }
}
