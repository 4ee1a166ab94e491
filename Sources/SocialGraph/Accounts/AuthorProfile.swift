import Database

/// The part of an account that items show of their author.
package struct AuthorProfile: Sendable, Equatable {
    package let id: UserID
    package let username: String
    /// Nil if the user has none, or is suspended.
    package let displayName: String?
    /// The stored form, as in ``Account/pictureURL``; nil if the user has none, or is suspended.
    package let pictureURL: String?

    package init(id: UserID, username: String, displayName: String?, pictureURL: String?) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.pictureURL = pictureURL
    }

    package init(_ account: Account) {
        self.init(
            id: account.id, username: account.username,
            displayName: account.displayName.isEmpty ? nil : account.displayName, pictureURL: account.pictureURL)
    }

    /// A row of ``AccountStore/authorProfiles``.
    package init(row: any SQLRow) {
        let (name, isSuspended) = (row.text(2), row.integer(4) != 0)
        self.init(
            id: UserID(rawValue: row.integer(0)), username: row.text(1),
            displayName: isSuspended || name.isEmpty ? nil : name,
            pictureURL: isSuspended ? nil : row.optionalText(3))
    }
}

extension AccountStore {
    /// The profiles of a list of accounts, deleted ones included, under the name that a deletion leaves.
    package static let authorProfiles = ListQuery { list in
        """
        SELECT id, username, display_name, picture_url, CASE WHEN suspended_at IS NULL THEN 0 ELSE 1 END
        FROM account WHERE id IN (\(list))
        """
    }
}
