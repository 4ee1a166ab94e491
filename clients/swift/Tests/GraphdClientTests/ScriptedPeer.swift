import Foundation

@testable import GraphdClient

/// A server that answers as a script says, and keeps the requests that it got.
actor ScriptedPeer: HTTPTransport {
    typealias Script = @Sendable (_ number: Int, _ request: HTTPRequest) async throws -> HTTPResponse

    struct ConnectionLost: Error {}

    private(set) var requests: [HTTPRequest] = []
    /// The bodies, as they arrived.
    private(set) var bodies: [Data] = []
    private let script: Script

    /// - Parameter script: Returns the answer to a request, whose number begins with 1.
    init(_ script: @escaping Script) {
        self.script = script
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        requests.append(request)
        let number = requests.count
        bodies.append(try await Self.content(of: request.body))
        return try await script(number, request)
    }

    private static func content(of body: HTTPRequest.Body) async throws -> Data {
        switch body {
        case .none: Data()
        case .bytes(let data): data
        case .stream(_, let stream): try await stream.collected(limit: 10_000_000)
        }
    }
}

extension HTTPResponse {
    static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: BodyStream(Data(text.utf8)))
    }

    static func problem(_ status: Int, _ code: String, headers: [(String, String)] = []) -> HTTPResponse {
        json(
            #"{"status":\#(status),"code":"\#(code)","detail":"No.","requestId":"r1"}"#, status: status,
            headers: headers)
    }

    static let empty = HTTPResponse(status: 204, headers: [], body: BodyStream(Data()))

    /// An answer that arrives in these pieces, and then ends or breaks off.
    static func pieces(_ pieces: [String], breaksOff: Bool = false) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: [],
            body: BodyStream {
                var rest = pieces[...]
                return {
                    if let piece = rest.popFirst() { return Data(piece.utf8) }
                    if breaksOff { throw ScriptedPeer.ConnectionLost() }
                    return nil
                }
            })
    }
}

/// The waits of a client, which pass at once.
actor Waits {
    private(set) var all: [Duration] = []

    func add(_ wait: Duration) { all.append(wait) }
}

extension GraphdClient {
    static let counts = #"{"likesCount":1,"commentsCount":0,"sharesCount":0}"#

    /// A client of a scripted server. Its waits pass at once, and are as long as they can be.
    static func scripted(
        _ peer: ScriptedPeer, waits: Waits = Waits(), session: Session? = .example,
        configure: (inout Configuration) -> Void = { _ in },
        sessionChanged: @escaping @Sendable (Session?) async -> Void = { _ in }
    ) throws -> GraphdClient {
        var configuration = Configuration()
        configuration.retries.jitter = { 1 }
        configuration.sleep = { await waits.add($0) }
        configure(&configuration)
        let server = URL(string: "http://peer.example") ?? URL(fileURLWithPath: "/")
        return GraphdClient(
            server: server, session: session, transport: peer, configuration: configuration,
            sessionChanged: sessionChanged)
    }
}

extension Session {
    static let example = Session.numbered(1)

    static func numbered(_ number: Int) -> Session {
        let end = Date(timeIntervalSince1970: 2_000_000_000)
        return Session(
            userId: "7", token: "token\(number)", expiresAt: end, refreshToken: "refresh\(number)",
            refreshExpiresAt: end)
    }

    var json: String { String(decoding: (try? JSONCoding.encoder().encode(self)) ?? Data(), as: UTF8.self) }
}
