import Foundation
import GraphdClient
import Synchronization

/// A login whose sessions are stored in its file.
final class KeptLogin: Sendable {
    private struct State {
        var login: Login
        var failure: ModerationFailure?
    }

    private let file: LoginFile
    private let state: Mutex<State>

    init(_ login: Login, in file: LoginFile) {
        self.file = file
        state = Mutex(State(login: login))
    }

    var current: Login { state.withLock { $0.login } }

    /// Stores a session. One that has ended leaves the file as it is.
    func keep(_ session: Session?) {
        guard let session else { return }
        state.withLock { state in
            state.login = Login(session, server: state.login.server, username: state.login.username)
            do throws(ModerationFailure) {
                try file.write(state.login)
            } catch {
                state.failure = error
            }
        }
    }

    /// Throws ``ModerationFailure`` if a session could not be stored.
    func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}

extension Login {
    init(_ session: Session, server: String, username: String) {
        let end = Int64((session.expiresAt.timeIntervalSince1970 * 1_000).rounded())
        self.init(
            server: server, username: username, token: session.token, expiresAt: EndTime.text(end),
            refreshToken: session.refreshToken)
    }

    /// The session, as far as the file has it: its tokens.
    var session: Session {
        Session(
            userId: "", token: token, expiresAt: .distantPast, refreshToken: refreshToken,
            refreshExpiresAt: .distantPast)
    }

    /// True if the token expires within a minute.
    var isOver: Bool {
        guard let end = EndTime.milliseconds(expiresAt) else { return false }
        return Double(end) < (Date.now.timeIntervalSince1970 + 60) * 1_000
    }
}
