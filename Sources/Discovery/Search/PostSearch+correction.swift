import Database
import SocialGraph

extension PostSearch {
    /// Unicode scalars of a word that may have a typing error in it: of shorter ones, too much is one letter away, and
    /// longer ones are no words.
    private static let correctedLetters = 4...24
    /// Look-ups in the index of words for those near the one that was asked for.
    private static let nearWords = 2_000
    /// Near words that are searched for, to weigh them against each other.
    private static let weighedWords = 16
    /// Posts by which one correction is weighed against another.
    private static let weighedPosts = 20

    /// `words` with one letter of one of them changed, as the viewer finds most posts; nil: no such words find any.
    ///
    /// What counts is only what is shown: a word that only hidden posts have changes nothing of the answer, whether it
    /// is the one asked for or another near it. The steps are bounded: words that are looked up in the index of words,
    /// words that are searched for, and rows that these searches examine together.
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

    /// Number of the newest posts with `words` that are shown, up to a page of them, as far as `rows` reach.
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
