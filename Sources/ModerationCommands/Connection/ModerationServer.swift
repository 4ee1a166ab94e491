import AsyncHTTPClient
import CommandSupport
import Foundation
import GraphAPI
import NIOCore
import NIOSSL
import StrictJSON

/// A running graphd, accessed over HTTP as one user.
struct ModerationServer: Sendable {
    /// The maximum number of attempts at an overloaded server, and the maximum wait before each retry in seconds.
    private static let attempts = 6
    private static let longestWait: Int64 = 30

    let client: GraphClient

    init(client: GraphClient) { self.client = client }

    /// - Throws: ``ModerationFailure`` if GRAPHD_CA names a file without certificates.
    init(server: String, token: String?) throws {
        client = GraphClient(base: server, token: token, http: try Self.http.get(), timeout: .seconds(120))
    }

    /// An unreachable server is reported at once, without retries.
    private static let http = Result<HTTPClient, ModerationFailure> { () throws(ModerationFailure) in
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        if let file = ProcessInfo.processInfo.environment["GRAPHD_CA"], !file.isEmpty {
            guard let authorities = try? NIOSSLCertificate.fromPEMFile(file) else {
                throw ModerationFailure(.badData, "GRAPHD_CA must name a PEM file of certificates; got \"\(file)\".")
            }
            var encryption = TLSConfiguration.makeClientConfiguration()
            encryption.additionalTrustRoots = [.certificates(authorities)]
            configuration.tlsConfiguration = encryption
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
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
        let server = try ModerationServer(server: access.server, token: token)
        guard let login = access.login, let file, isOver(login.expiresAt) else { return server }
        return try await server.renewing(login, in: file)
    }

    private static func isOver(_ time: String) -> Bool {
        guard let end = EndTime.milliseconds(time) else { return false }
        return Double(end) < (Date.now.timeIntervalSince1970 + 60) * 1_000
    }

    private func renewing(_ login: Login, in file: LoginFile) async throws -> ModerationServer {
        let anonymous = try ModerationServer(server: login.server, token: nil)
        let body = JSONValue.members(("refreshToken", .string(login.refreshToken)))
        let answer: JSONValue
        do {
            answer = try await anonymous.send("POST", "/v1/auth/refresh", body)
        } catch RequestFailure.problem {
            throw ModerationFailure(.refused, "The login to \(login.server) has expired. Sign in again: graphd login.")
        }
        let renewed = Login(answer, server: login.server, username: login.username)
        try file.write(renewed)
        return try ModerationServer(server: login.server, token: renewed.token)
    }
}

extension Login {
    /// A login from a session in the format of the server.
    init(_ session: JSONValue, server: String, username: String) {
        self.init(
            server: server, username: username, token: session.member("token")?.stringValue ?? "",
            expiresAt: session.member("expiresAt")?.stringValue ?? "",
            refreshToken: session.member("refreshToken")?.stringValue ?? "")
    }
}

extension ModerationServer {
    func get(_ path: String, _ query: [(String, String?)] = []) async throws -> JSONValue {
        try await send("GET", path + Self.queryText(query))
    }

    /// Sends a request. Throws ``RequestFailure``. An answer without a body is null.
    func send(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        for attempt in 1... {
            let answer = try await exchange(method, path, body)
            if answer.status == 429, attempt < Self.attempts {
                // Not for synchronisation: the server has set the time of the retry.
                try await Task.sleep(for: .seconds(min(answer.retryAfter ?? 1, Self.longestWait)))
                continue
            }
            let json = answer.body.isEmpty ? .null : try? JSONReader.read(answer.body, maxDepth: 64)
            guard (200..<300).contains(answer.status) else {
                let detail = json?.member("detail")?.stringValue ?? "The server answered \(answer.status)."
                let code = json?.member("code")?.stringValue ?? "http_\(answer.status)"
                throw RequestFailure.problem(status: answer.status, code: code, detail: detail)
            }
            guard let json else {
                throw ModerationFailure(.failed, "The server at \(client.address) is not graphd.")
            }
            return json
        }
        throw ModerationFailure(.tryAgain, "The server is overloaded.")
    }

    private func exchange(_ method: String, _ path: String, _ body: JSONValue?) async throws -> GraphAnswer {
        do {
            return try await client.exchange(method, path, json: body?.bytes)
        } catch let error as HTTPClientError where error != .connectTimeout {
            throw RequestFailure.lost("The connection to \(client.address) was lost:  \(error).")
        } catch let error as IOError where error.errnoCode != ECONNREFUSED {
            throw RequestFailure.lost("The connection to \(client.address) was lost:  \(error).")
        } catch {
            throw RequestFailure.unreachable("The server at \(client.address) cannot be reached.")
        }
    }

    static func queryText(_ query: [(String, String?)]) -> String {
        let pairs = query.compactMap { name, value in value.map { "\(name)=\(escaped($0))" } }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
