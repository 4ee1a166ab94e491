import ArgumentParser
import Hummingbird
import Logging
import NIOCore

/// The limit for reads: the same HTTP stack, with nothing behind it.
struct ConstantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "constant",
        abstract: "Serve one constant answer on the HTTP stack that graphd uses.",
        discussion: "Example:\n  loadtests constant --port 18090 --bytes 6000")

    @Option(help: "Port on 127.0.0.1.") var port: Int
    @Option(help: "Size of the answer's body.") var bytes: Int

    func run() async throws {
        let router = Router()
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: bytes)
        router.get("/constant") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8"], body: .init(byteBuffer: body))
        }
        var application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "constant"))
        application.logger.logLevel = .error
        try await application.runService()
    }
}
