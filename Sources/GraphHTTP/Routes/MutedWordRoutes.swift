import GraphAPI
import GraphServices
import Hummingbird
import Privacy
import SocialGraph

/// The words and phrases that the caller has muted.
struct MutedWordRoutes: Sendable {
    let graph: GraphStore

    /// `POST /v1/me/muted-words` {word, wholeWord?, expiresAt? or duration?} → 201 {mutedWordId, word, wholeWord,
    /// expiresAt}; 200 if the word was muted, and has changed
    @Sendable func mute(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let word = try body.string("word", maxLength: SocialGraphLimits.mutedWordLength)
        let isWhole = try body.optionalBool("wholeWord") ?? true
        let end = try body.optionalExpiry(now: graph.expiryTime)
        try body.end()
        guard let muted = try await graph.mutedWords.mute(word, isWhole: isWhole, until: end, by: caller) else {
            let right = "a visible character, and at most \(SocialGraphLimits.mutedWordLength) characters when folded"
            throw Problem(.invalidValue, "The field \"word\" must contain \(right).", field: "word")
        }
        return .json(muted.isNew ? .created : .ok) { $0.mutedWord(muted.word) }
    }

    /// `GET /v1/me/muted-words` → {items: […]}, all of them, the latest first
    @Sendable func words(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let words = try await graph.mutedWords.words(of: context.requireCaller())
        return .json { $0.items(words) { $0.mutedWord($1) } }
    }

    /// `DELETE /v1/me/muted-words/{id}` → 204, also if there was no such word
    @Sendable func unmute(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        if let id = context.parameters.get("id").flatMap({ TextRules.parseID($0) }) {
            try await graph.mutedWords.unmute(id, by: caller)
        }
        return .noContent
    }
}
