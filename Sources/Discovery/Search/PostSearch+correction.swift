import Database
import SocialGraph
import Text

extension PostSearch {
    /// Lengths, in Unicode scalars, of words that are corrected. Shorter words have too many neighbours, and longer
    /// ones are not words.
    private static let correctedLetters = 4...24
    /// Number of look-ups in the index of words for those near the requested word.
    private static let nearWords = 2_000
    /// Number of near words searched and compared.
    private static let weighedWords = 16
    /// Number of posts that decide between two corrections.
    private static let weighedPosts = 20

    /// Returns `words` with one letter of one word changed, in the version that finds the viewer the most posts; nil if
    /// no such version finds any.
    ///
    /// Only shown posts count. A word that occurs only in hidden posts never changes the answer, neither as the
    /// requested word nor as one near it. The work is bounded: the look-ups in the index of words, the words searched,
    /// and the rows that these searches examine together.
    func correction<Item: Sendable>(
        of words: SearchWords, _ filter: PostFilter, _ show: Show<Item>
    ) async throws -> SearchWords? {
        var best: (words: SearchWords, shown: Int)?
        var (lookUps, weighed, rows) = (Self.nearWords, Self.weighedWords, examinedRows)
        for (place, word) in words.words.enumerated()
        where Self.correctedLetters.contains(word.unicodeScalars.count) {
            let near = OneEdit.words(near: SearchWords.bare(word))
            let known = try await graph.search.knownWords(among: near, limit: lookUps)
            lookUps -= known.lookUps
            for other in known.words {
                guard weighed > 0, rows > 0 else { return best?.words }
                guard let changed = words.replacing(place, with: other) else { continue }
                weighed -= 1
                let shown = try await count(changed, filter, &rows, show)
                if shown > best?.shown ?? 0 { best = (changed, shown) }
            }
        }
        return best?.words
    }

    /// Returns the number of the newest posts with `words` that are shown, up to one page, as far as `rows` reach.
    private func count<Item: Sendable>(
        _ words: SearchWords, _ filter: PostFilter, _ rows: inout Int, _ show: Show<Item>
    ) async throws -> Int {
        var (shown, place) = (0, PostID?.none)
        var count = Self.weighedPosts
        while shown < Self.weighedPosts, rows > 0 {
            let found = try await graph.search.newestPosts(
                having: words, filter, below: place, limit: count, budget: rows)
            rows -= max(found.examined, 1)
            for case .some in try await show(found.posts) { shown += 1 }
            guard let end = found.end else { break }
            place = end
            try ClientPresence.check()
            count = min(count * 2, Ranking.candidatesAtOnce)
        }
        return min(shown, Self.weighedPosts)
    }
}
