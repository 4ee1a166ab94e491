/// Usernames that people would take for the operator, a moderator or the software itself. Nobody can sign up with one
/// or rename to one; only the operator can assign them, by an import.
package enum ReservedNames {
    /// Compares as usernames are compared, without dots and underscores, and reads digits as the letters that they
    /// resemble: `Ad.min_` and `adm1n` are reserved as well.
    package static func contains(_ username: String) -> Bool {
        let name = NameFolding.key(username).filter { $0 != "." && $0 != "_" }
        return names.contains(name)
            || ["i", "l"].contains { one in
                names.contains(String(name.map { $0 == "1" ? one : digits[$0] ?? $0 }))
            }
    }

    private static let digits: [Character: Character] = ["0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"]

    private static let names: Set<String> = [
        // Operators.
        "admin", "admins", "administrator", "administrators", "administration", "sysadmin", "superadmin", "siteadmin",
        "webadmin", "adminteam", "owner", "siteowner", "operator", "operators", "root", "superuser", "sudo", "system",
        "sysop", "webmaster", "hostmaster", "postmaster",
        // Moderators.
        "mod", "mods", "modteam", "moderator", "moderators", "moderation", "moderationteam", "supermoderator",
        "supermod", "trustandsafety", "trustsafety", "safety", "abuse", "report", "reports", "appeals", "legal",
        "compliance", "copyright", "dmca", "privacy", "security", "securityteam",
        // Representatives.
        "staff", "staffmember", "employee", "team", "theteam", "official", "officialteam", "officialaccount",
        "verified", "verification", "support", "supportteam", "techsupport", "customersupport", "customerservice",
        "customercare", "help", "helpdesk", "helpcenter", "helpcentre", "service", "contact", "feedback", "billing",
        "payments", "accounts", "account", "press", "news", "announcement", "announcements", "notice", "notices",
        "notification", "notifications", "noreply", "donotreply", "mailerdaemon", "info",
        // The software, and words that have a meaning in paths and clients.
        "graphd", "graphdadmin", "graphdteam", "graphdsupport", "graphdofficial", "graphdstaff", "graphdsecurity",
        "console", "daemon", "server", "api", "bot", "automod", "automoderator", "me", "self", "you", "everyone",
        "everybody", "all", "here", "channel", "nobody", "anonymous", "unknown", "guest", "deleted", "deleteduser",
        "null", "undefined",
    ]
}
