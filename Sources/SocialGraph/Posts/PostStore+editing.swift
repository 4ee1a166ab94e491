import Database

/// A change of a post; nil leaves a field unchanged. Fields that decide where a post stands (category, tags, community,
/// collaborators, visibility) cannot be edited.
package struct PostChange: Sendable {
    /// A text that can be removed.
    package enum Text: Sendable, Equatable {
        case none
        case set(String)

        var text: String? {
            guard case .set(let text) = self else { return nil }
            return text
        }
    }

    package var caption: String?
    package var title: Text?
    package var link: Text?
    package var thumbnailURL: Text?
    /// The stored file that `thumbnailURL` names, if it is stored here.
    package var thumbnail: MediaID?

    package init() {}
}

extension PostStore {
    /// Changes the content of a post; only its author may. Every later read shows the change. Notifies users whom the
    /// caption mentions for the first time. Throws ``GraphError/postNotFound`` and ``GraphError/notAuthor``.
    package func editPost(_ id: PostID, by author: UserID, _ change: PostChange) async throws -> Post {
        let discovery = database.graphHooks?.discovery
        let draft = ScreeningDraft(author: author, isNew: false) {
            try ScreenedContent.texts(of: id, with: change, $0, discovery)
        }
        return try await database.writeScreened(draft) { screening, transaction in
            try Reader(transaction).requireOwner(of: id, author)
            if let caption = change.caption {
                try transaction.execute("UPDATE post SET caption = ?2 WHERE id = ?1", [.post(id), .text(caption)])
            }
            if let title = change.title {
                try transaction.execute(
                    "UPDATE post SET title = ?2 WHERE id = ?1", [.post(id), .optional(title.text)])
            }
            if let link = change.link {
                try transaction.execute("UPDATE post SET link = ?2 WHERE id = ?1", [.post(id), .optional(link.text)])
            }
            if let thumbnail = change.thumbnailURL {
                try transaction.execute(
                    "UPDATE post SET thumbnail_url = ?2, thumbnail_id = ?3 WHERE id = ?1",
                    [.post(id), .optional(thumbnail.text), change.thumbnail.map(SQLValue.media) ?? .null])
            }
            try transaction.execute(
                "UPDATE post SET updated_at = ?2 WHERE id = ?1", [.post(id), .integer(transaction.now)])
            transaction.index(.post(id))
            try transaction.record(.postEdited(id, author: author))
            let community = try PostStore.Reader(transaction).screenedCommunity(of: id)
            let isShown = try transaction.screen(
                .post(id), isNew: false, screening, in: community)
            if isShown, let caption = change.caption {
                try NotificationStore.Writer(transaction).notifyMentioned(in: caption, of: id, by: author)
            }
            return try Reader(transaction).requirePost(id)
        }
    }
}
