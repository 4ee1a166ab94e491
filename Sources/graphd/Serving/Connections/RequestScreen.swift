import GraphAPI
import GraphHTTP
import GraphServices
import NIOCore
import NIOHTTP1

/// Checks the head of every request before any other handler, and reports the progress of requests and answers to
/// ``ConnectionGate``.
///
/// Refused with 400: HTTP/1.1 without exactly one `Host` (RFC 9112, section 3.2), two of them in HTTP/1.0, and other
/// versions. A connection of HTTP/1.0 is closed after its answer.
final class RequestScreen: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let gate: ConnectionGate
    /// Number of unanswered requests.
    private var open = 0
    /// The refusal of a head; once it is set, nothing more of the connection is passed on.
    private var refusal: Problem?
    private var isHTTP10 = false

    init(gate: ConnectionGate) { self.gate = gate }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        let now = context.eventLoop.now
        switch unwrapInboundIn(data) {
        case .head(var head):
            gate.note { $0.beginsRequest(now: now) }
            if let problem = Self.problem(of: head) {
                refusal = problem
                if open == 0 { refuse(context, problem) }
                return
            }
            open += 1
            if head.version == .http1_0 {
                isHTTP10 = true
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body:
            context.fireChannelRead(data)
        case .end:
            gate.note { $0.endsRequest(now: now) }
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            gate.note { $0.beginsAnswer() }
            if isHTTP10 {
                // A body without a length ends with the connection: HTTP/1.0 has no chunks.
                head.version = .http1_0
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            open -= 1
            let now = context.eventLoop.now
            gate.note { $0.endsAnswer(now: now) }
            if open == 0, let refusal { refuse(context, refusal) }
        }
    }

    private func refuse(_ context: ChannelHandlerContext, _ problem: Problem) {
        let body = context.channel.allocator.buffer(bytes: problem.json(requestID: nil))
        let headers: HTTPHeaders = [
            "Content-Type": Problem.mediaType, "Content-Length": "\(body.readableBytes)", "Connection": "close",
        ]
        context.write(
            wrapOutboundOut(.head(.init(version: .http1_1, status: .badRequest, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(mode: .output, promise: nil)
    }

    static func problem(of head: HTTPRequestHead) -> Problem? {
        let hosts = head.headers["Host"]
        switch head.version {
        case .http1_1 where hosts.count == 1, .http1_0 where hosts.count <= 1: return nil
        case .http1_1, .http1_0:
            return Problem(
                .badRequest, "A request must have exactly one header \"Host\"; got \(hosts.count).", field: "Host")
        default: return Problem(.badRequest, "This server speaks HTTP/1.1 and HTTP/1.0.")
        }
    }
}
