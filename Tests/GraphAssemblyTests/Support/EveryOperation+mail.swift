import Database

@testable import Sessions
@testable import SocialGraph

extension EveryOperation {
    /// Mail, the tokens that it carries, and confirmed addresses.
    static func mail(on graph: GraphStore, _ ann: UserID) async throws {
        let (origin, queue) = (LoginOrigin(address: "192.0.2.1", userAgent: "a"), graph.mailQueue)
        try await queue.setSending(true)
        try await graph.accountTokens.requestPasswordReset(email: "ann@example.org", from: origin)
        try await graph.accountTokens.requestPasswordReset(email: "nobody@example.org", from: origin)
        try await graph.sessions.welcome(ann, from: origin, address: [1])
        _ = try await graph.sessions.openSession(
            of: ann, refresh: RefreshGrant(digest: [6], lifetime: 1_000), from: origin, address: [77])
        let mails = try await queue.take(limit: 9, lease: 1_000).mails
        for (index, mail) in mails.enumerated() {
            try await queue.finish(mail, retryingAt: index == 0 ? mail.createdAt + 1 : nil)
        }
        try await queue.free(from: .isDead)
        _ = try await queue.backlog()
        for token in mails.compactMap(\.token).compactMap(AccountToken.init(presented:)) {
            _ = try await graph.accountTokens.account(resetBy: token, at: 0)
            _ = try await graph.accountTokens.confirmEmail(token)
            _ = try await graph.accountTokens.resetPassword(token, to: "hash", from: origin)
        }
        _ = try await graph.accountTokens.isEmailConfirmed(of: ann)
        try await graph.accountTokens.requestConfirmation(of: ann, from: origin)
        var change = ProfileChange()
        (change.email, change.origin) = ("ann@example.com", origin)
        try await graph.accounts.changeProfile(of: ann, change)
        change.email = "ann@example.org"
        try await graph.accounts.changeProfile(of: ann, change)
        try await graph.database.write {
            try SessionStore.Writer($0).replacePassword(of: ann, with: "hash", from: origin)
        }
        try await authenticators(on: graph, ann, origin)
        try await queue.setSending(false)
    }

    private static func authenticators(on graph: GraphStore, _ ann: UserID, _ origin: LoginOrigin) async throws {
        let totp = graph.totp
        func code(_ secret: TOTPSecret, _ step: Int64) -> String {
            secret.code(at: TOTPSecret.step(at: SystemClock.milliseconds()) + step)
        }
        guard let secret = try await totp.begin(of: ann),
            case .enabled(let codes) = try await totp.confirm(
                code(secret, 0), of: ann, keeping: nil, from: origin)
        else { return }
        _ = try await totp.state(of: ann)
        _ = try await totp.spend(.code(code(secret, 1)), of: ann, from: origin)
        _ = try await totp.spend(.code("0"), of: ann, from: origin)
        let new = try await totp.replaceRecoveryCodes(of: ann, by: .recoveryCode(codes[0]), from: origin)
        if let proof = new?.first { _ = try await totp.remove(of: ann, by: .recoveryCode(proof), from: origin) }
        _ = try await graph.database.write { try TOTPStore.Writer($0).removeUnproven(of: ann, from: origin) }
    }
}
