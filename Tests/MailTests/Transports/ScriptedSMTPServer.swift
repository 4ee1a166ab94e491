import Foundation
import NIOCore
import NIOEmbedded
import NIOSSL
import Processes
import TestSupport
import Testing

/// An SMTP server for one connection, which notes what it hears.
final class ScriptedSMTPServer: Sendable {
    struct Heard: Sendable {
        var commands: [String] = []
        /// Those that were not encrypted.
        var clear: [String] = []
        /// The mail, its dots unstuffed.
        var text = ""
    }

    /// TLS of a server.
    struct Security: Sendable {
        let context: NIOSSLContext
        /// True for TLS from the first byte.
        let isImplicit: Bool

        init(_ credentials: ServerCredentials, isImplicit: Bool) throws {
            let chain = try NIOSSLCertificate.fromPEMFile(credentials.chain).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(file: credentials.key, format: .pem))
            context = try NIOSSLContext(
                configuration: .makeServerConfiguration(certificateChain: chain, privateKey: key))
            self.isImplicit = isImplicit
        }
    }

    let port: Int
    private let talk: AsyncStream<Heard>

    /// - Parameters:
    ///   - offers: extensions named in the answer to `EHLO`.
    ///   - answers: answers to commands that begin with a word; an empty one is never sent.
    ///   - security: nil for a server without TLS.
    init(offers: [String] = [], answers: [String: String] = [:], security: Security? = nil) throws {
        let (listener, port) = try LocalSocket.listenTCP()
        self.port = port
        let (stream, continuation) = AsyncStream<Heard>.makeStream()
        talk = stream
        let script = Script(offers: offers, answers: answers, security: security)
        let thread = Thread {
            let connection = accept(listener, nil, nil)
            close(listener)
            continuation.yield(Self.serve(Line(connection), script))
            close(connection)
            continuation.finish()
        }
        thread.start()
    }

    /// Waits for the end of the connection.
    func heard() async -> Heard {
        for await heard in talk { return heard }
        return Heard()
    }

    private static func serve(_ line: Line, _ script: Script) -> Heard {
        var (heard, buffer, isData) = (Heard(), [UInt8](), false)
        func say(_ text: String) { if !text.isEmpty { line.send(Array("\(text)\r\n".utf8)) } }
        if script.security?.isImplicit == true { line.encrypt(script.security) }
        say("220 scripted")
        while true {
            guard let bytes = line.receive() else { return heard }
            buffer += bytes
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let text = String(decoding: buffer[..<end].dropLast(), as: UTF8.self)
                buffer.removeFirst(end + 1)
                if isData, text != "." {
                    heard.text += (text.hasPrefix(".") ? String(text.dropFirst()) : text) + "\r\n"
                } else {
                    let answer = isData ? "250 accepted" : script.answer(to: text, after: heard.commands.last)
                    isData = !isData && text == "DATA"
                    heard.commands.append(text)
                    if !line.isEncrypted { heard.clear.append(text) }
                    say(answer)
                    if text == "STARTTLS" { line.encrypt(script.security) }
                }
            }
        }
    }
}

/// The answers of a scripted server.
private struct Script: Sendable {
    var offers: [String]
    var answers: [String: String]
    var security: ScriptedSMTPServer.Security?

    func answer(to line: String, after last: String?) -> String {
        if last == "AUTH PLAIN" { return answers["AUTH"] ?? "235 welcome" }
        let word = String(line.prefix { $0 != " " && $0 != ":" })
        if word != "AUTH", let answer = answers[word] { return answer }
        switch word {
        case "EHLO": return (["250-scripted"] + offers.map { "250-\($0)" } + ["250 HELP"]).joined(separator: "\r\n")
        case "AUTH": return line == "AUTH PLAIN" ? "334 " : answers["AUTH"] ?? "235 welcome"
        case "DATA": return "354 go on"
        case "STARTTLS": return "220 go on"
        case "QUIT": return "221 bye"
        default: return "250 ok"
        }
    }
}

/// A connection whose bytes are encrypted from some point on.
private final class Line {
    private let connection: Int32
    /// The state of TLS; nil before.
    private var channel: EmbeddedChannel?
    private var chunk = [UInt8](repeating: 0, count: 4_096)

    init(_ connection: Int32) { self.connection = connection }

    var isEncrypted: Bool { channel != nil }

    func encrypt(_ security: ScriptedSMTPServer.Security?) {
        guard let security else { return }
        let channel = EmbeddedChannel()
        try? channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: security.context))
        try? channel.connect(to: SocketAddress(unixDomainSocketPath: "/scripted")).wait()
        self.channel = channel
    }

    func send(_ bytes: [UInt8]) {
        guard let channel else {
            _ = LocalSocket.send(bytes[...], over: connection)
            return
        }
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        pass(channel)
    }

    /// Returns bytes in the clear, perhaps none; nil at the end of the connection.
    func receive() -> [UInt8]? {
        let count = recv(connection, &chunk, chunk.count, 0)
        guard count > 0 else { return nil }
        guard let channel else { return Array(chunk.prefix(count)) }
        guard (try? channel.writeInbound(ByteBuffer(bytes: chunk.prefix(count)))) != nil else {
            pass(channel)
            return nil
        }
        pass(channel)
        var clear: [UInt8] = []
        while let buffer = try? channel.readInbound(as: ByteBuffer.self) { clear += buffer.readableBytesView }
        return clear
    }

    /// Sends what TLS has encrypted.
    private func pass(_ channel: EmbeddedChannel) {
        channel.embeddedEventLoop.run()
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) {
            _ = LocalSocket.send(Array(buffer.readableBytesView)[...], over: connection)
        }
    }
}

/// A self-signed certificate for localhost, made by openssl.
struct ServerCredentials: Sendable {
    let chain: String
    let key: String

    init(in directory: String) async throws {
        (chain, key) = (directory + "/server.crt", directory + "/server.key")
        var launch = Launch(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "7",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain,
            ])
        launch.error = .path("/dev/null")
        try #require(await ChildProcess(launch, endsWithParent: true).wait() == .exited(0))
    }
}
