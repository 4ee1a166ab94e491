import SocialGraph

extension PostSearch {
    /// `words` with one letter of one of them changed, as the viewer finds most posts; nil: no such words find any.
    ///
    /// What counts is only what is shown: a word that only hidden posts have changes nothing of the answer, whether it
    /// is the one asked for or another near it.
    func correction<Item: Sendable>(
        of words: SearchWords, _ filter: PostFilter, _ show: Show<Item>
    ) async throws -> SearchWords? {
        var best: (words: SearchWords, shown: Int)?
        for (place, word) in words.words.enumerated()
        where DiscoveryLimits.correctedLetters.contains(word.unicodeScalars.count) {
            for other in try await graph.knownWords(among: OneEdit.words(near: SearchWords.bare(word))) {
                guard let changed = words.replacing(place, with: other) else { continue }
                let shown = try await count(changed, filter, show)
                if shown > best?.shown ?? 0 { best = (changed, shown) }
            }
        }
        return best?.words
    }

    /// How many of the newest posts with `words` are shown, up to a page of them.
    private func count<Item: Sendable>(
        _ words: SearchWords, _ filter: PostFilter, _ show: Show<Item>
    ) async throws -> Int {
        var (shown, place) = (0, PostID?.none)
        var count = DiscoveryLimits.weighedPosts
        while shown < DiscoveryLimits.weighedPosts {
            let found = try await graph.newestPosts(having: words, filter, below: place, limit: count)
            for case .some in try await show(found) { shown += 1 }
            guard found.count == count else { break }
            place = found.last
            count = min(count * 2, DiscoveryLimits.candidatesAtOnce)
        }
        return min(shown, DiscoveryLimits.weighedPosts)
    }
}
