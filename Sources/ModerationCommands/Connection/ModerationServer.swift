import CommandSupport
import Foundation
import GraphdClient
import StrictJSON

/// A running graphd, accessed over HTTP as one user.
struct ModerationServer: Sendable {
    let address: String
    private let client: GraphdClient
    /// The login whose sessions are kept; nil if the token was given explicitly.
    private let login: KeptLogin?

    init(address: String, client: GraphdClient, login: KeptLogin? = nil) {
        self.address = address
        self.client = client
        self.login = login
    }

    /// - Parameter token: A token that is not renewed; nil for requests that need none.
    /// - Throws: ``ModerationFailure`` if GRAPHD_CA names a file without certificates.
    init(server: String, token: String?) throws {
        let client = try ServerTransport.client(server, session: nil) { _ in }
        self.init(address: server, client: token.map { client.with(token: $0) } ?? client)
    }

    /// Uses a login, and stores the sessions that follow it.
    init(_ login: KeptLogin) throws {
        let (server, session) = (login.current.server, login.current.session)
        let client = try ServerTransport.client(server, session: session) { login.keep($0) }
        self.init(address: server, client: client, login: login)
    }

    /// Opens the server selected by flags, environment and login. Throws ``ModerationFailure`` if there is no token.
    static func open(
        _ options: ConnectionOptions, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> ModerationServer {
        let file = LoginFile(environment: environment)
        let isGiven = options.token != nil || environment["GRAPHD_TOKEN"]?.isEmpty == false
        let access = try ServerAccess(options, environment: environment, login: isGiven ? nil : file?.read())
        guard let token = access.token else {
            throw ModerationFailure(
                .refused, "Nobody is signed in to \(access.server). Use 'graphd login', --token or GRAPHD_TOKEN.")
        }
        guard let login = access.login, let file else {
            return try ModerationServer(server: access.server, token: token)
        }
        let server = try ModerationServer(KeptLogin(login, in: file))
        // A token that expires later is renewed by the client when the server refuses it.
        if login.isOver { try await server.asking { try await $0.renewSession() } }
        return server
    }
}

extension ModerationServer {
    func get(_ path: String, _ query: [(String, String?)] = []) async throws -> StrictJSON.JSONValue {
        try await send("GET", path, query: query)
    }

    /// Sends a request and returns its answer unchanged. An answer without a body is null.
    ///
    /// - Throws: ``RequestFailure``, ``ModerationFailure``.
    func send(
        _ method: String, _ path: String, query: [(String, String?)] = [], _ body: StrictJSON.JSONValue? = nil
    ) async throws -> StrictJSON.JSONValue {
        guard let method = HTTPRequest.Method(rawValue: method) else { fatalError("no method of the API: \(method)") }
        let answer = try await asking {
            try await $0.answer(
                method, path, query: query.map { (name: $0.0, value: $0.1) }, body: body.map { Data($0.bytes) })
        }
        if let refusal = answer.refusal { throw RequestFailure(refusal) }
        guard !answer.body.isEmpty else { return .null }
        guard let json = try? JSONReader.read(Array(answer.body), maxDepth: 64) else { throw isNotGraphd }
        return json
    }

    /// Runs requests.
    ///
    /// - Throws: ``RequestFailure``, ``ModerationFailure``.
    func asking<Answer>(_ requests: (GraphdClient) async throws -> Answer) async throws -> Answer {
        do {
            let answer = try await requests(client)
            try login?.check()
            return answer
        } catch let refusal as APIError {
            throw RequestFailure(refusal)
        } catch let error as ClientError {
            throw failure(error)
        }
    }

    private func failure(_ error: ClientError) -> any Error {
        switch error {
        case .connection(let cause):
            RequestFailure(connectionTo: address, cause)
        case .sessionEnded:
            ModerationFailure(.refused, "The login to \(address) has expired. Sign in again: graphd login.")
        case .invalidAnswer: isNotGraphd
        case .invalidArgument(let text): ModerationFailure(.badData, text)
        default: ModerationFailure(.failed, error.localizedDescription)
        }
    }

    private var isNotGraphd: ModerationFailure {
        ModerationFailure(.failed, "The server at \(address) is not graphd.")
    }
}
