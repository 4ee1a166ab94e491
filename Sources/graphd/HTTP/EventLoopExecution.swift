import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Runs tasks on the thread of an event loop, so that a request need not change threads between the one that reads
/// and writes its connection and the one that answers it.
final class EventLoopTaskExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// HTTP/1 connections whose requests are answered on the connection's event loop.
struct EventLoopHTTP1Channel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

extension HTTPServerBuilder {
    /// See ``EventLoopHTTP1Channel``.
    static var onEventLoops: HTTPServerBuilder {
        HTTPServerBuilder { EventLoopHTTP1Channel(base: HTTP1Channel(responder: $0)) }
    }
}

/// Leaves the event loop for whatever is not known to be short: while a handler computes, no other connection of its
/// event loop is served.
struct OffEventLoop: RouterMiddleware {
    /// What is answered where it arrives: much asked for, and waiting more than computing.
    private static let short: Set = ["/v1/timelines/home"]

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        if Self.short.contains(request.uri.path) { return try await next(request, context) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await next(request, context) }
    }
}
