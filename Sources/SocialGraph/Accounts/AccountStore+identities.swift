import Database
import Text

/// A person as an OpenID Connect issuer names them, with the fields from which a first log-in creates the account.
package struct ExternalIdentity: Sendable {
    package let issuer: String
    package let subject: String
    /// A valid username; a number is appended if it is taken.
    package let username: String
    /// Verified by the issuer.
    package let email: String?
    package let displayName: String
    package let pictureURL: String?

    package init(
        issuer: String, subject: String, username: String, email: String?, displayName: String, pictureURL: String?
    ) {
        self.issuer = issuer
        self.subject = subject
        self.username = username
        self.email = email
        self.displayName = displayName
        self.pictureURL = pictureURL
    }

    private static let neutralUsername = "user"

    /// The same identity with a neutral username and nothing else that others read.
    fileprivate var unnamed: ExternalIdentity {
        ExternalIdentity(
            issuer: issuer, subject: subject, username: Self.neutralUsername, email: email, displayName: "",
            pictureURL: nil)
    }

    /// Texts for the rules of the site; the neutral name is the server's own.
    fileprivate var screenedTexts: [String?] {
        username == Self.neutralUsername ? [displayName, pictureURL] : [username, displayName, pictureURL]
    }
}

/// Accounts of people who log in through OpenID Connect.
extension AccountStore {
    /// Returns the account of an outside identity, which may have been deleted; nil: the identity has never been seen.
    package func user(issuer: String, subject: String) async throws -> UserID? {
        try await database.read { try Reader($0).user(issuer: issuer, subject: subject) }
    }

    /// Returns the account of an outside identity, created if there is none. An address that another account has is
    /// left out: its owner here need not be its owner there. If a rule of the site refuses the names or the picture,
    /// the account is created without them, because its owner cannot choose others before logging in.
    package func findOrCreateUser(_ person: ExternalIdentity) async throws -> UserID {
        if let known = try await user(issuer: person.issuer, subject: person.subject) { return known }
        do {
            return try await create(person)
        } catch GraphError.refusedByRule {
            return try await create(person.unnamed)
        }
    }

    private func create(_ person: ExternalIdentity) async throws -> UserID {
        let texts = person.screenedTexts
        // The user has no id yet: the account's creation assigns it.
        let draft = ScreeningDraft(of: texts, by: UserID(rawValue: 0))
        return try await database.writeScreened(draft) { screening, transaction in
            if let known = try Reader(transaction).user(issuer: person.issuer, subject: person.subject) { return known }
            let isEmailFree = try person.email.map {
                try !transaction.exists(AccountStore.Reader.emailProbe, [.text(NameFolding.key($0))])
            }
            let account = try Writer(transaction).createAccount(
                username: try Writer(transaction).freeUsername(like: person.username),
                email: isEmailFree == true ? person.email : nil, passwordHash: nil, displayName: person.displayName)
            try transaction.execute(
                "UPDATE account SET picture_url = ?2 WHERE id = ?1", [.user(account.id), .optional(person.pictureURL)])
            if account.email != nil {
                try transaction.graphHooks?.sessions.noteVerifiedEmail(of: account.id, transaction)
            }
            try transaction.execute(
                "INSERT INTO identity (issuer, subject, user_id) VALUES (?1, ?2, ?3)",
                [.text(person.issuer), .text(person.subject), .user(account.id)])
            try transaction.screen(texts, of: .user(account.id), by: account.id, screening)
            return account.id
        }
    }
}

extension AccountStore.Reader {
    fileprivate func user(issuer: String, subject: String) throws -> UserID? {
        try reader.first(Self.identityProbe, [.text(issuer), .text(subject)]) { UserID(rawValue: $0.integer(0)) }
    }

    static let identityProbe = "SELECT user_id FROM identity WHERE issuer = ?1 AND subject = ?2"
}

extension AccountStore.Writer {
    /// Removes identities that are no longer refused.
    func pruneIdentities() throws {
        try transaction.execute(
            "DELETE FROM identity WHERE refused_until IS NOT NULL AND refused_until < ?1",
            [.integer(transaction.expiryTime)])
    }

    /// Returns `name`, with a number appended if it is taken. A reserved name is replaced by a neutral one.
    func freeUsername(like name: String) throws -> String {
        let name = ReservedNames.contains(name) ? "user" : name
        func isFree(_ name: String) throws -> Bool {
            try !transaction.exists(AccountStore.Reader.usernameProbe, [.text(NameFolding.key(name))])
        }
        func numbered(_ number: Int64) -> String {
            let digits = String(number)
            return name.prefix(SocialGraphLimits.usernameLength - digits.count) + digits
        }
        if try isFree(name) { return name }
        for number in 2...9 as ClosedRange<Int64> {
            let candidate = numbered(number)
            if try isFree(candidate) { return candidate }
        }
        // A number of the common sequence: the first one is free unless somebody has chosen exactly that name.
        while true {
            let candidate = numbered(try transaction.nextID())
            if try isFree(candidate) { return candidate }
        }
    }
}
