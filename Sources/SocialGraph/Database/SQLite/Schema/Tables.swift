/// The tables of each topic, each in a file of its own.
enum Tables {
    static let all =
        engine + accounts + sessions + follows + relations + posts + topics + communities + media + engagement + saves
        + notifications + outbox + rankings + videos + search + push + moderation + cases + rules
}
