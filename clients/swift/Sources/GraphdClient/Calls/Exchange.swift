import Foundation

/// Sends calls: with the token of the session, a renewed one if it is refused, and again after failures that pass.
struct Exchange: Sendable {
    let encoding: RequestEncoding
    let transport: any HTTPTransport
    let configuration: Configuration
    private(set) var sessions: SessionKeeper

    init(server: URL, transport: any HTTPTransport, configuration: Configuration, sessions: SessionKeeper) {
        encoding = RequestEncoding(server: server, userAgent: configuration.userAgent)
        self.transport = transport
        self.configuration = configuration
        self.sessions = sessions
    }

    /// Returns a copy for another session.
    func with(_ sessions: SessionKeeper) -> Exchange {
        var copy = self
        copy.sessions = sessions
        return copy
    }

    /// Returns the answer of a call once it is a success, read by `read`. A read that fails is a failed attempt.
    ///
    /// - Throws: `APIError` for an answer that is not a success; `ClientError`.
    func send<Answer>(
        _ call: Call, read: @Sendable (HTTPResponse) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await repeated(call, read: read)
        } catch let refusal as Refusal {
            throw refusal.error
        }
    }

    /// Returns the answer of a call once it is a success, or a refusal that no repetition would change.
    func answer(_ call: Call) async throws -> RawAnswer {
        do {
            return try await repeated(call) { try await whole($0) }
        } catch let refusal as Refusal {
            return refusal.answer
        }
    }

    /// An answer that is not a success.
    private struct Refusal: Error {
        let answer: RawAnswer
        let error: APIError
    }

    /// Refusals after which a session is renewed. A token is invalid if its key has been revoked, or if its session has
    /// ended; then the server refuses the refresh token, too.
    private static let renewable: Set<ProblemCode> = [.tokenExpired, .tokenInvalid]

    private func repeated<Answer>(
        _ call: Call, read: @Sendable (HTTPResponse) async throws -> Answer
    ) async throws -> Answer {
        let key = idempotencyKey(call)
        var attempt = 1
        var renewals = 0
        while true {
            try Task.checkCancellation()
            let token = call.authorization == .none ? nil : await sessions.token
            do {
                return try await read(try await checked(encoding.request(call, key: key, token: token)))
            } catch let refusal as Refusal {
                let error = refusal.error
                if let code = error.code, Self.renewable.contains(code), let token, renewals == 0,
                    try await sessions.renew(token, by: refresh)
                {
                    renewals += 1
                } else {
                    let failure = RetryPolicy.Failure.answer(
                        status: error.status, code: error.code, retryAfter: error.retryAfter)
                    try await pause(failure, refusal, call, &attempt)
                }
            } catch let error as ClientError {
                throw error
            } catch {
                try Task.checkCancellation()
                try await pause(.unknownOutcome, ClientError.connection(error), call, &attempt)
            }
        }
    }

    private func pause(
        _ failure: RetryPolicy.Failure, _ error: any Error, _ call: Call, _ attempt: inout Int
    ) async throws {
        let policy = configuration.retries
        guard let wait = policy.wait(after: failure, attempt: attempt, isRepeatable: call.isRepeatable) else {
            throw error
        }
        attempt += 1
        try await configuration.sleep(wait)
    }

    /// Returns nil if there is no need of a key, because nothing is sent again.
    private func idempotencyKey(_ call: Call) -> String? {
        guard case .withKey(let key) = call.repetition else { return nil }
        return key ?? (configuration.retries.maximumAttempts > 1 ? UUID().uuidString : nil)
    }

    /// Sends a request once.
    ///
    /// - Throws: `Refusal` for an answer that is not a success.
    private func checked(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await transport.send(request)
        guard !(200..<300).contains(response.status) else { return response }
        let answer = try await whole(response)
        guard let error = answer.refusal else { return response }
        throw Refusal(answer: answer, error: error)
    }

    private func whole(_ response: HTTPResponse) async throws -> RawAnswer {
        RawAnswer(
            status: response.status, headers: response.headers,
            body: try await response.body.collected(limit: configuration.maximumAnswerSize))
    }

    /// Exchanges a refresh token for a new session. Never sent twice: the token is good once.
    @Sendable func refresh(_ refreshToken: String) async throws -> Session {
        let body = RefreshRequest(refreshToken: refreshToken)
        let call = Call(
            .post, ["v1", "auth", "refresh"], repetition: .never, body: .json(body), authorization: .none)
        return try await send(call) { try await self.decoded($0) }
    }

    /// Reads a JSON answer.
    @Sendable func decoded<Value: Decodable>(_ response: HTTPResponse) async throws -> Value {
        let body = try await response.body.collected(limit: configuration.maximumAnswerSize)
        do {
            return try JSONCoding.decoder().decode(Value.self, from: body)
        } catch {
            throw ClientError.invalidAnswer(error)
        }
    }
}
