import Database
import Text

extension AccountStore {
    /// Changes an account in one transaction, which takes effect with the acknowledgement. Throws
    /// ``GraphError/accountNotFound``, ``GraphError/usernameTaken(_:)``, ``GraphError/reservedUsername(_:)``,
    /// ``GraphError/emailTaken``, ``GraphError/mediaNotFound`` (the picture is no file of the user's),
    /// ``GraphError/limitReached(_:)`` (entries that are put into the preferences), and
    /// ``GraphError/refusedByRule(_:)`` for names and a bio.
    package func changeProfile(of user: UserID, _ change: ProfileChange) async throws {
        let texts = [change.username, change.displayName, change.bio, change.picture?.link]
        try await database.writeScreened(ScreeningDraft(of: texts, by: user)) { screening, transaction in
            try transaction.screen(texts, of: .user(user), by: user, screening)
            guard let before = try Reader(transaction).account(user) else { throw GraphError.accountNotFound }
            try Self.requireUnreserved(change.username, of: before)
            try Reader(transaction).requireFree(username: change.username, email: change.email, besides: user)
            try Writer(transaction).changeNames(of: before, change)
            if let picture = change.picture { try Writer(transaction).setPicture(picture, of: user) }
            if let preferences = change.preferences {
                try AttributeStore.Writer(transaction).store(preferences, as: .preferences, of: user.rawValue)
            }
            if !change.preferenceChanges.isEmpty {
                try Writer(transaction).change(change.preferenceChanges, ofPreferencesOf: user)
            }
            if change.algorithms != nil || change.topicsInHome != nil || change.communitiesInHome != nil {
                try TopicStore.Writer(transaction).setPreferences(
                    of: user, algorithms: change.algorithms, topics: change.topicsInHome,
                    communities: change.communitiesInHome)
            }
            if let acceptance = change.autoAcceptance {
                try transaction.execute(
                    "UPDATE account SET auto_accepts = ?2 WHERE id = ?1",
                    [.user(user), .flag(acceptance == .following)])
            }
            if let email = change.email, email != before.email, let origin = change.origin {
                try transaction.graphHooks?.sessions.noteEmailChange(
                    of: user, before: before.email, from: origin, transaction)
            }
            if let isPrivate = change.isPrivate, isPrivate != before.isPrivate {
                try Writer(transaction).setPrivate(isPrivate, user)
            }
            try Writer(transaction).noteChange(of: before)
        }
    }

    /// An account whose name has become reserved, or was given by the operator, keeps it.
    private static func requireUnreserved(_ username: String?, of before: Account) throws {
        guard let username, NameFolding.key(username) != NameFolding.key(before.username) else { return }
        guard !ReservedNames.contains(username) else { throw GraphError.reservedUsername(username) }
    }

    /// The preferences of `user`; the defaults if there is no such user.
    package func preferences(of user: UserID) async throws -> Preferences {
        try await database.read { reader in
            let switches = try TopicStore.Reader(reader).homeSwitches(of: user)
            return Preferences(
                attributes: try AttributeStore.Reader(reader).preferences(of: user),
                selectedAlgorithms: try reader.rows(TopicStore.selectedAlgorithmsQuery, [.user(user)]) { $0.text(0) },
                topicsInHome: switches.topics, communitiesInHome: switches.communities,
                autoAcceptance: try Reader(reader).autoAcceptance(of: user))
        }
    }
}

extension AccountStore.Reader {
    fileprivate func autoAcceptance(of user: UserID) throws -> AutoAcceptance {
        let accepts = try reader.exists("SELECT 1 FROM account WHERE id = ?1 AND auto_accepts = 1", [.user(user)])
        return accepts ? .following : .nobody
    }
}

extension AccountStore.Writer {
    func change(_ changes: [String: AttributeValue?], ofPreferencesOf user: UserID) throws {
        var preferences = try AttributeStore.Reader(transaction).preferences(of: user)
        for (name, value) in changes { preferences[name] = value }
        guard preferences.count <= SocialGraphLimits.attributes else {
            throw GraphError.limitReached("\(SocialGraphLimits.attributes) preferences")
        }
        try AttributeStore.Writer(transaction).store(preferences, as: .preferences, of: user.rawValue)
    }

    fileprivate func changeNames(of before: Account, _ change: ProfileChange) throws {
        let username = change.username ?? before.username
        let email = change.email ?? before.email
        try transaction.execute(
            """
            UPDATE account SET username = ?2, username_key = ?3, email = ?4, email_key = ?5, display_name = ?6,
                bio = ?7, is_business = ?8
            WHERE id = ?1
            """,
            [
                .user(before.id), .text(username), .text(NameFolding.key(username)), .optional(email),
                .optional(email.map(NameFolding.key)), .text(change.displayName ?? before.displayName),
                .text(change.bio ?? before.bio), .flag(change.isBusiness ?? before.isBusiness),
            ])
    }

    fileprivate func setPicture(_ picture: ProfileChange.Picture, of user: UserID) throws {
        let (url, media): (String?, MediaID?) =
            switch picture {
            case .none: (nil, nil)
            case .at(let url, let media): (url, media)
            }
        if let media,
            try !transaction.exists(
                "SELECT 1 FROM media WHERE id = ?1 AND owner_id = ?2", [.media(media), .user(user)])
        {
            throw GraphError.mediaNotFound
        }
        try transaction.execute(
            "UPDATE account SET picture_url = ?2, picture_id = ?3 WHERE id = ?1",
            [.user(user), .optional(url), media.map(SQLValue.media) ?? .null])
    }

    /// Stamps the account, and records a change for caches and streams if others see a difference.
    fileprivate func noteChange(of before: Account) throws {
        guard let after = try stored.account(before.id) else { return }
        try transaction.execute(
            "UPDATE account SET updated_at = ?2 WHERE id = ?1", [.user(before.id), .integer(transaction.now)])
        let isSeen =
            before.username != after.username || before.displayName != after.displayName || before.bio != after.bio
            || before.pictureURL != after.pictureURL || before.isBusiness != after.isBusiness
        guard isSeen else { return }
        transaction.index(.account(before.id))
        try transaction.record(.accountChanged(before.id, isRenamed: before.username != after.username))
    }
}
