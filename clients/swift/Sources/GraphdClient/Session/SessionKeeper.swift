import Foundation

/// The session of a client, or a token alone. However many requests find its token refused, it is renewed once.
actor SessionKeeper {
    typealias Refresh = @Sendable (_ refreshToken: String) async throws -> Session

    private(set) var session: Session?
    /// A token without a session, which cannot be renewed.
    private var loneToken: String?
    private let changed: @Sendable (Session?) async -> Void
    private var renewal: Task<Session, any Error>?

    init(session: Session?, changed: @escaping @Sendable (Session?) async -> Void) {
        self.session = session
        self.changed = changed
    }

    init(token: String) {
        loneToken = token
        changed = { _ in }
    }

    var token: String? { session?.token ?? loneToken }

    /// Replaces the session, by that of a log-in or by none.
    func replace(by new: Session?) async {
        session = new
        loneToken = nil
        await changed(new)
    }

    /// Renews the session, unless that is under way.
    ///
    /// - Throws: `ClientError.sessionEnded` if there is none, or the refresh token is refused.
    func renew(by refresh: @escaping Refresh) async throws {
        guard let session else { throw ClientError.sessionEnded }
        _ = try await renew(session.token, by: refresh)
    }

    /// Returns when the session has another token than the refused one; false if the token has no session.
    ///
    /// The renewal goes on if the caller is cancelled: its answer has the only token that is good from then on.
    ///
    /// - Throws: `ClientError.sessionEnded` if the refresh token is refused.
    func renew(_ refused: String, by refresh: @escaping Refresh) async throws -> Bool {
        if loneToken == refused { return false }
        guard let session else { throw ClientError.sessionEnded }
        guard session.token == refused else { return true }
        let task = renewal ?? Task { try await self.renewed(session, by: refresh) }
        renewal = task
        _ = try await task.value
        return true
    }

    private func renewed(_ old: Session, by refresh: Refresh) async throws -> Session {
        defer { renewal = nil }
        do {
            let new = try await refresh(old.refreshToken)
            // A log-in or a log-out meanwhile counts.
            if session?.refreshToken == old.refreshToken { await replace(by: new) }
            return new
        } catch let error as APIError where error.status == 401 {
            if let session {
                // Opened meanwhile by a log-in, or by a new password, which ends the old session.
                if session.refreshToken != old.refreshToken { return session }
                await replace(by: nil)
            }
            throw ClientError.sessionEnded
        }
    }
}
