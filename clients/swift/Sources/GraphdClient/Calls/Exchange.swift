import Foundation

/// Sends calls: with the token of the session, a renewed one if it has expired, and again after failures that pass.
struct Exchange: Sendable {
    let encoding: RequestEncoding
    let transport: any HTTPTransport
    let configuration: Configuration
    let sessions: SessionKeeper

    init(server: URL, transport: any HTTPTransport, configuration: Configuration, sessions: SessionKeeper) {
        encoding = RequestEncoding(server: server, userAgent: configuration.userAgent)
        self.transport = transport
        self.configuration = configuration
        self.sessions = sessions
    }

    /// Returns the answer of a call once it is a success, read by `read`. A read that fails is a failed attempt.
    func send<Answer>(
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
            } catch let error as APIError {
                if error.code == .tokenExpired, let token, renewals == 0 {
                    renewals += 1
                    try await sessions.renew(token, by: refresh)
                } else {
                    let failure = RetryPolicy.Failure.answer(
                        status: error.status, code: error.code, retryAfter: error.retryAfter)
                    try await pause(failure, error, call, &attempt)
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

    private func idempotencyKey(_ call: Call) -> String? {
        guard case .withKey(let key) = call.repetition else { return nil }
        return key ?? UUID().uuidString
    }

    /// Sends a request once.
    ///
    /// - Throws: `APIError` for an answer that is not a success.
    private func checked(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await transport.send(request)
        guard !(200..<300).contains(response.status) else { return response }
        let body = try await response.body.collected(limit: configuration.maximumAnswerSize)
        throw APIError(
            status: response.status, body: body, retryAfter: response.header("Retry-After").flatMap(Int.init))
    }

    /// Exchanges a refresh token for a new session. Never sent twice: the token is good once.
    @Sendable private func refresh(_ refreshToken: String) async throws -> Session {
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
