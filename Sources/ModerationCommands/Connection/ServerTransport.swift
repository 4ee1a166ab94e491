import AsyncHTTPClient
import Foundation
import GraphdClient
import NIOCore
import NIOSSL

/// The connections of the command line, and its patience.
enum ServerTransport {
    /// - Throws: ``ModerationFailure`` if GRAPHD_CA names a file without certificates.
    static func client(
        _ server: String, session: Session?, sessionChanged: @escaping @Sendable (Session?) -> Void
    ) throws -> GraphdClient {
        guard let url = URL(string: server) else {
            throw ModerationFailure(.badData, "--server must be an address such as \(ConnectionOptions.usual).")
        }
        return GraphdClient(
            server: url, session: session, transport: AsyncHTTPClientTransport(client: try http.get()),
            configuration: configuration, sessionChanged: sessionChanged)
    }

    /// Waits for a budget as long as the server asks, and repeats nothing else: a person at a terminal would rather
    /// know.
    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.maximumAnswerSize = 64 << 20
        configuration.userAgent = "graphd"
        configuration.retries.causes = [.budget]
        configuration.retries.maximumAttempts = 6
        configuration.retries.longestWait = .seconds(150)
        return configuration
    }

    /// An unreachable server is reported at once, without retries.
    private static let http = Result<HTTPClient, ModerationFailure> { () throws(ModerationFailure) in
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: .seconds(120)))
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
}

extension RequestFailure {
    init(_ refusal: APIError) {
        self = .problem(
            status: refusal.status, code: refusal.code?.rawValue ?? "http_\(refusal.status)",
            detail: refusal.detail ?? "The server answered \(refusal.status).")
    }

    /// - Parameter cause: The error of the connection.
    init(connectionTo address: String, _ cause: any Error) {
        let wasSent =
            switch cause {
            case let error as HTTPClientError: error != .connectTimeout
            case let error as IOError: error.errnoCode != ECONNREFUSED
            default: false
            }
        self =
            wasSent
            ? .lost("The connection to \(address) was lost: \(cause).")
            : .unreachable("The server at \(address) cannot be reached.")
    }
}
