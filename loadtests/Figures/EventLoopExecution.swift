import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Runs tasks on the thread of an event loop, as graphd does.
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
