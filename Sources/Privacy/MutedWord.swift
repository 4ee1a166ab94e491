/// A word or phrase that a user has muted.
package struct MutedWord: Sendable, Equatable {
    /// Its place in the user's list; larger is later.
    package let id: Int64
    /// The spelling that the user has given.
    package let word: String
    /// It hides only texts that contain it as whole words.
    package let isWhole: Bool
    /// Milliseconds since 1970; nil: it does not expire.
    package let expiresAt: Int64?
}
