import SocialGraph
import Synchronization
import Text

extension PostFragment {
    /// A muted word in the title, caption, category or tags; nil: there is none.
    func firstMatch(of words: MutedWords) -> String? { words.firstMatch(in: foldedText) }

    private var foldedText: FoldedText {
        folded.withLock { folded in
            if let folded { return folded }
            // No word or phrase goes on across a separator of units.
            let texts = [title, caption, categoryName].compactMap(\.self) + tags
            let text = FoldedText(texts.joined(separator: "\u{1F}"))
            folded = text
            return text
        }
    }
}
