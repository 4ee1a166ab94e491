import Database
import SocialGraph

/// The author of an act.
package enum AuditActor: Sendable, Equatable {
    /// A user with a role of the site, over HTTP.
    case user(UserID)
    /// A user of the machine, by name, with a command.
    case machine(String)
}

/// An act to be recorded.
package struct AuditNote: Sendable, Equatable {
    package let action: AuditAction
    package let actor: AuditActor
    /// The id of whatever the act concerns; see ``AuditAction``. Nil for acts on everything.
    package let subject: Int64?
    /// Figures, names of changed fields and names that people gave, for people to read; never a secret or a URL. Cut
    /// after ``AuditStore/textBytes``.
    package let detail: String?

    package init(_ action: AuditAction, by actor: AuditActor, subject: Int64? = nil, detail: String? = nil) {
        self.action = action
        self.actor = actor
        self.subject = subject
        self.detail = detail
    }
}

/// An entry of the audit. It has the ids of users, also after their accounts are deleted, and nothing else of them.
package struct AuditEntry: Sendable, Equatable {
    package let id: Int64
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let act: AuditNote
}

extension AuditEntry {
    init(row: any SQLRow) throws {
        id = row.integer(0)
        createdAt = row.integer(1)
        let actor: AuditActor
        switch (row.optionalInteger(3), row.optionalText(4)) {
        case (let user?, nil): actor = .user(UserID(rawValue: user))
        case (nil, let name?): actor = .machine(name)
        default: throw DatabaseError.undecodable(AuditActor.self, row.integer(0))
        }
        act = AuditNote(
            try row.choice(2), by: actor, subject: row.optionalInteger(5), detail: row.optionalText(6))
    }
}
