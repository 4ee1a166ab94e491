import Database

/// The content to judge, as a snapshot before the write shows it.
package struct ScreeningDraft: Sendable {
    package let author: UserID
    package let isNew: Bool
    /// Reads the draft; nil: its subject does not exist any more.
    package let read: @Sendable (any SQLReader) throws -> (community: CommunityID?, texts: [String])?
    /// The queries that the write reads ahead; nil: none.
    package var ahead: Ahead?

    /// Queries that a write asks in any case.
    package struct Ahead: Sendable {
        /// The community whose rules it asks for as well.
        package let community: CommunityID?
        package let queries: @Sendable () -> [SQLQuery]
    }

    package init(
        author: UserID, isNew: Bool,
        read: @escaping @Sendable (any SQLReader) throws -> (community: CommunityID?, texts: [String])?
    ) {
        self.author = author
        self.isNew = isNew
        self.read = read
    }

    /// Texts about a person or a community, written by `user`; nil texts are not changed.
    package init(of texts: [String?], by user: UserID) {
        let texts = texts.compactMap(\.self).filter { !$0.isEmpty }
        self.init(author: user, isNew: false) { _ in texts.isEmpty ? nil : (nil, texts) }
    }
}
