import Database
import Foundation
import SocialGraph
import Text

/// Words and phrases that users have muted. The visibility rule of timelines applies them.
package struct MutedWordStore: Sendable {
    let database: any GraphDatabase
}

extension MutedWordStore {
    /// The words of `user` that hold, the latest first.
    package func words(of user: UserID) async throws -> [MutedWord] {
        let time = database.expiryTime
        return try await database.read { reader in
            // At most as many as a user may have: sorted here, so that no index is kept for it.
            try reader.rows(Self.wordsQuery, [.user(user), .integer(time)], MutedWord.init(row:))
                .sorted { $0.id > $1.id }
        }
    }

    package static let wordsQuery = """
        SELECT id, word, is_whole, expires_at FROM muted_word
        WHERE user_id = ?1 AND (expires_at IS NULL OR expires_at > ?2)
        """

    /// Mutes a word, or changes a muted one of the same folded spelling; takes effect with the acknowledgement. Nil:
    /// nothing is left of the word to search for, or it is longer than ``SocialGraphLimits/mutedWordLength`` when
    /// folded, which can make 18 scalars of one. Throws ``GraphError/accountNotFound`` and
    /// ``GraphError/limitReached(_:)``.
    package func mute(
        _ word: String, isWhole: Bool, until expiresAt: Int64?, by user: UserID
    ) async throws -> (word: MutedWord, isNew: Bool)? {
        let word = word.trimmingCharacters(in: .whitespacesAndNewlines)
        let skeleton = FoldedText(word).skeleton
        guard skeleton.contains(where: { $0 != 0x20 }), skeleton.count <= SocialGraphLimits.mutedWordLength else {
            return nil
        }
        let key = FoldedText.excerpt(skeleton.indices, of: skeleton, length: skeleton.count)
        return try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            let known = try transaction.first(
                "SELECT id FROM muted_word WHERE user_id = ?1 AND word_key = ?2", [.user(user), .text(key)]
            ) { $0.integer(0) }
            if known == nil {
                try BlockAndMuteStore.Reader(transaction).requireRoom(
                    "SELECT COUNT(*) FROM muted_word WHERE user_id = ?1", [.user(user)],
                    below: SocialGraphLimits.mutedWords, "muted words")
            }
            let id = try known ?? transaction.nextID()
            try transaction.execute(
                """
                INSERT INTO muted_word (id, user_id, word, word_key, is_whole, expires_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (id) DO UPDATE SET
                    word = excluded.word, is_whole = excluded.is_whole, expires_at = excluded.expires_at
                """,
                [
                    .integer(id), .user(user), .text(word), .text(key), .flag(isWhole),
                    expiresAt.map(SQLValue.integer) ?? .null,
                ])
            try transaction.record(.preferencesChanged(user))
            return (MutedWord(id: id, word: word, isWhole: isWhole, expiresAt: expiresAt), known == nil)
        }
    }

    /// Removes a word; true if there was one. Idempotent.
    @discardableResult package func unmute(_ id: Int64, by user: UserID) async throws -> Bool {
        try await database.write { transaction in
            let removed = try transaction.executeCounting(
                "DELETE FROM muted_word WHERE id = ?1 AND user_id = ?2", [.integer(id), .user(user)])
            guard removed > 0 else { return false }
            try transaction.record(.preferencesChanged(user))
            return true
        }
    }
}

extension MutedWord {
    init(row: any SQLRow) {
        id = row.integer(0)
        word = row.text(1)
        isWhole = row.integer(2) != 0
        expiresAt = row.optionalInteger(3)
    }
}
