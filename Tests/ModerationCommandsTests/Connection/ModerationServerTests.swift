import Foundation
import GraphdClient
import NIOCore
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import ModerationCommands

/// Requests of the command line to a server that answers as a script says.
@Suite(.timeLimit(.unit))
struct ModerationServerTests {
    /// Keeps the requests that it got, as `GET /v1/me`.
    private final class Peer: HTTPTransport {
        let requests = Mutex<[String]>([])
        let waits = Mutex<[Duration]>([])
        private let script: @Sendable (Int, String) throws -> HTTPResponse

        /// - Parameter script: Returns the answer to a request, whose number begins with 1.
        init(_ script: @escaping @Sendable (Int, String) throws -> HTTPResponse) { self.script = script }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let line = "\(request.method.rawValue) \(request.url.absoluteString.dropFirst("http://a.example".count))"
            let number = requests.withLock { requests in
                requests.append(line)
                return requests.count
            }
            return try script(number, line)
        }

        func server(login: KeptLogin? = nil) throws -> ModerationServer {
            var configuration = ServerTransport.configuration
            configuration.sleep = { wait in self.waits.withLock { $0.append(wait) } }
            let url = try #require(URL(string: "http://a.example"))
            let client = GraphdClient(
                server: url, session: login?.current.session, transport: self, configuration: configuration,
                sessionChanged: { login?.keep($0) })
            return ModerationServer(address: "http://a.example", client: client, login: login)
        }
    }

    private static func answer(_ text: String, _ status: Int = 200, _ headers: [(String, String)] = []) -> HTTPResponse
    {
        HTTPResponse(status: status, headers: headers, body: BodyStream(Data(text.utf8)))
    }

    private static func problem(_ status: Int, _ code: String, _ headers: [(String, String)] = []) -> HTTPResponse {
        answer(#"{"status":\#(status),"code":"\#(code)","detail":"No."}"#, status, headers)
    }

    private static let session = """
        {"userId":"7","token":"t2","expiresAt":"2027-01-01T00:00:00.250Z","refreshToken":"r2",\
        "refreshExpiresAt":"2027-02-01T00:00:00.000Z"}
        """

    @Test func `an answer is passed on as it is`() async throws {
        let text = #"{"later":9007199254740993,"none":null,"list":[{"b":1,"a":"\u00e9"}]}"#
        let peer = Peer { number, _ in number == 1 ? Self.answer(text) : Self.answer("", 204) }
        let server = try peer.server()
        #expect(try await server.get("/v1/x", [("q", "a b"), ("none", nil)]) == JSONReader.read(Array(text.utf8)))
        #expect(try await server.send("POST", "/v1/y") == .null)
        #expect(peer.requests.withLock { $0 } == ["GET /v1/x?q=a%20b", "POST /v1/y"])
    }

    @Test func `a budget is waited for, for as long as the server asks, and nothing else is repeated`() async throws {
        let busy = Peer { number, _ in
            number == 1 ? Self.problem(429, "rate_limited", [("Retry-After", "60")]) : Self.answer("{}")
        }
        _ = try await busy.server().send("POST", "/v1/y")
        #expect(busy.waits.withLock { $0 } == [.seconds(60)])
        let late = Peer { _, _ in Self.problem(429, "rate_limited", [("Retry-After", "300")]) }
        #expect(await failure { try await late.server().get("/v1/x") }?.status == .tryAgain)
        let stopping = Peer { _, _ in Self.problem(503, "busy") }
        #expect(await failure { try await stopping.server().get("/v1/x") }?.status == .tryAgain)
        let lost = Peer { _, _ in throw IOError(errnoCode: ECONNRESET, reason: "read") }
        let failure = await failure { try await lost.server().get("/v1/x") }
        #expect(failure?.status == .tryAgain && failure?.message.contains("was lost") == true)
        for peer in [late, stopping, lost] { #expect(peer.requests.withLock { $0.count } == 1) }
    }

    /// Returns the failure with which a command would end.
    private func failure(_ body: () async throws -> some Any) async -> ModerationFailure? {
        do {
            _ = try await body()
            return nil
        } catch let error as RequestFailure {
            return error.failure
        } catch {
            return error as? ModerationFailure
        }
    }

    @Test func `errors have their messages and exit statuses`() async throws {
        let cases: [(CommandStatus, String, @Sendable () throws -> HTTPResponse)] = [
            (.notFound, "No. (report_not_found)", { Self.problem(404, "report_not_found") }),
            (.refused, "No. (token_expired)", { Self.problem(401, "token_expired") }),
            (.failed, "The server answered 301. (http_301)", { Self.answer("<html>", 301) }),
            (.failed, "The server at http://a.example is not graphd.", { Self.answer("<html>") }),
            (
                .unreachable,
                "The server at http://a.example cannot be reached. Is graphd running there? Name it with --server.",
                { throw IOError(errnoCode: ECONNREFUSED, reason: "connect") }
            ),
        ]
        for (status, message, script) in cases {
            let peer = Peer { _, _ in try script() }
            let server = try peer.server()
            let given = ModerationServer(
                address: server.address, client: try await server.asking { $0.with(token: "t") })
            #expect(await failure { try await given.get("/v1/x") } == ModerationFailure(status, message))
        }
    }

    @Test func `a login that expires meanwhile is renewed once and kept in its file`() async throws {
        let path = temporaryPath("login") + "/login.json"
        defer { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }
        let old = Login(server: "http://a.example", username: "ada", token: "t1", expiresAt: "", refreshToken: "r1")
        let kept = KeptLogin(old, in: LoginFile(path: path))
        let peer = Peer { number, line in
            switch line {
            case "POST /v1/auth/refresh": Self.answer(Self.session)
            default: number == 1 ? Self.problem(401, "token_expired") : Self.answer("{}")
            }
        }
        let server = try peer.server(login: kept)
        for _ in 0..<2 { _ = try await server.get("/v1/x") }
        #expect(
            peer.requests.withLock { $0 } == ["GET /v1/x", "POST /v1/auth/refresh", "GET /v1/x", "GET /v1/x"])
        let new = Login(
            server: "http://a.example", username: "ada", token: "t2", expiresAt: "2027-01-01T00:00:00.250Z",
            refreshToken: "r2")
        #expect(try LoginFile(path: path).read() == new)
    }

    @Test func `a login whose refresh token is refused has to sign in again, and the file stays`() async throws {
        let path = temporaryPath("login") + "/login.json"
        defer { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }
        let login = Login(server: "http://a.example", username: "ada", token: "t1", expiresAt: "", refreshToken: "r1")
        try LoginFile(path: path).write(login)
        let peer = Peer { _, line in
            line.hasSuffix("refresh") ? Self.problem(401, "refresh_token_invalid") : Self.problem(401, "token_expired")
        }
        let server = try peer.server(login: KeptLogin(login, in: LoginFile(path: path)))
        let failure = await failure { try await server.get("/v1/x") }
        #expect(failure?.status == .refused && failure?.message.contains("Sign in again: graphd login.") == true)
        #expect(try LoginFile(path: path).read() == login)
    }

    @Test func `a session that cannot be kept is an error`() async throws {
        let login = Login(server: "http://a.example", username: "ada", token: "t1", expiresAt: "", refreshToken: "r1")
        let kept = KeptLogin(login, in: LoginFile(path: "/dev/null/graphd/login.json"))
        let peer = Peer { _, line in
            line.hasSuffix("refresh") ? Self.answer(Self.session) : Self.problem(401, "token_expired")
        }
        let server = try peer.server(login: kept)
        let failure = await failure { try await server.asking { try await $0.renewSession() } }
        #expect(failure?.status == .failed && failure?.message.contains("cannot be written") == true)
    }

    @Test func `a community is found by its exact name on a later page, or by the only name like it`() async throws {
        let peer = Peer { _, line in
            let (id, next) = line.contains("cursor=c") ? ("2", "null") : ("1", "\"c\"")
            let name = id == "1" ? "runners" : "Runners"
            return Self.answer(
                """
                {"items":[{"communityId":"\(id)","name":"\(name)","description":"","private":false,"locked":false,\
                "archived":false,"membersCount":1,"postsCount":0,"createdAt":"2026-11-21T03:01:07.300Z","role":null,\
                "inHome":false,"requested":false,"creatorId":"1","pinned":[]}],"nextCursor":\(next)}
                """)
        }
        let exact: String = try await peer.server().communityID("Runners")
        #expect(exact == "2")
        #expect(
            peer.requests.withLock { $0 } == [
                "GET /v1/communities?q=Runners&limit=100", "GET /v1/communities?q=Runners&limit=100&cursor=c",
            ])
        let ambiguous = await failure { () -> String in try await peer.server().communityID("RUNNERS") }
        #expect(ambiguous?.status == .badData && ambiguous?.message.contains("id:1") == true)
    }

    @Test func `a name that is nobody's is not found, whatever it is`() async throws {
        let peer = Peer { _, line in
            line.contains("by-username") ? Self.problem(404, "user_not_found") : Self.problem(403, "not_permitted")
        }
        for name in ["nobody", "..", ""] {
            let failure = await failure { () -> String in try await peer.server().userID(name) }
            #expect(failure == ModerationFailure(.notFound, "There is no user named \"\(name)\"."))
        }
    }
}
