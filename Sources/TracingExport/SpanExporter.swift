import AsyncHTTPClient
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import TracingSpans

/// Sends finished spans to a collector over OTLP/HTTP, in batches and off the path of requests. While the collector
/// does not answer, the batch is tried again after growing pauses, and the buffer drops what it cannot hold.
package struct SpanExporter: Service {
    /// The metric of spans by outcome.
    package static let metric = "graphd_trace_spans_total"

    /// The answer of a collector to a batch.
    package enum Answer: Sendable, Equatable {
        case taken
        /// The collector will never take the batch.
        case refused
        case failed(String)
    }

    /// Longest time for which a finished span waits for others.
    static let pause = Duration.seconds(2)
    /// Longest time of an attempt, and of the last one while the server stops.
    static let attempt = Duration.seconds(10)
    static let lastAttempt = Duration.seconds(2)
    static let backoff = Duration.seconds(1)...Duration.seconds(60)

    let buffer: SpanBuffer
    let send: @Sendable ([FinishedSpan], Duration) async -> Answer
    let logger: Logger
    private let exported = Counter(label: Self.metric, dimensions: [("outcome", "exported")])
    private let refused = Counter(label: Self.metric, dimensions: [("outcome", "refused")])
    private let dropped = Counter(label: Self.metric, dimensions: [("outcome", "dropped")])

    /// - Parameter send: sends a batch within a time.
    package init(
        buffer: SpanBuffer, logger: Logger, send: @escaping @Sendable ([FinishedSpan], Duration) async -> Answer
    ) {
        (self.buffer, self.logger, self.send) = (buffer, logger, send)
    }

    package func run() async throws {
        var rest = await cancelWhenGracefulShutdown { await export() }
        // The rest when the server stops has one attempt, as a whole.
        while true {
            if rest.isEmpty { rest = buffer.take() }
            countDropped()
            guard !rest.isEmpty else { return }
            guard await send(rest, Self.lastAttempt) == .taken else {
                dropped.increment(by: rest.count)
                return
            }
            exported.increment(by: rest.count)
            rest = []
        }
    }

    /// Exports until the task is cancelled. Returns the batch that was not taken until then.
    private func export() async -> [FinishedSpan] {
        var rings = buffer.rings.makeAsyncIterator()
        var (batch, failures): ([FinishedSpan], Int) = ([], 0)
        while !Task.isCancelled {
            if batch.isEmpty {
                await wait(&rings)
                batch = buffer.take()
            }
            countDropped()
            guard !batch.isEmpty, !Task.isCancelled else { continue }
            switch await send(batch, Self.attempt) {
            case .taken:
                if failures > 0 { logger.notice("the collector of traces answers again") }
                exported.increment(by: batch.count)
                (batch, failures) = ([], 0)
            case .refused:
                logger.warning("the collector of traces refused a batch")
                refused.increment(by: batch.count)
                (batch, failures) = ([], 0)
            case .failed(let reason):
                if failures == 0 {
                    logger.warning("the collector of traces does not take spans", metadata: ["error": "\(reason)"])
                }
                failures += 1
                countDropped()
                try? await Task.sleep(for: Self.pause(after: failures))
            }
        }
        return batch
    }

    /// Waits for a ring or the pause, whichever comes first.
    private func wait(_ rings: inout AsyncStream<Void>.Iterator) async {
        // Owner: this function, which cancels it.
        let alarm = Task { [buffer] in
            try await Task.sleep(for: Self.pause)
            buffer.ring()
        }
        await withTaskCancellationHandler {
            _ = await rings.next()
        } onCancel: {
            buffer.ring()
        }
        alarm.cancel()
    }

    private func countDropped() {
        let count = buffer.takeDropped()
        if count > 0 { dropped.increment(by: Int64(clamping: count)) }
    }

    static func pause(after failures: Int) -> Duration {
        min(backoff.lowerBound * Double(1 << min(failures - 1, 6)), backoff.upperBound)
    }
}

/// A collector of traces at `URL/v1/traces`.
package struct TraceCollector: Sendable {
    let url: String
    let version: String
    let instance: String
    let client: HTTPClient

    /// - Parameter base: the URL without `/v1/traces`.
    package init(base: String, version: String, instance: String, client: HTTPClient = .shared) {
        (url, self.version, self.instance, self.client) = (base + "/v1/traces", version, instance, client)
    }

    package func send(_ spans: [FinishedSpan], within limit: Duration) async -> SpanExporter.Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(SpanEncoding.body(spans, version: version, instance: instance))
        do {
            let status = try await client.execute(request, timeout: TimeAmount(limit)).status.code
            switch status {
            case 200..<300: return .taken
            case 408, 429, 500...: return .failed("the collector answered \(status)")
            default: return .refused
            }
        } catch {
            return .failed("\(error)")
        }
    }
}
