import HTTPTypes
import Hummingbird
import Tracing
import TracingSpans

/// A span for each traced request: its method, the template of its route, its status and its id. It ends when the
/// answer is ready, and holds nothing else of the request.
package struct RequestTracing<Context: RequestContext>: RouterMiddleware {
    private let tracer: SpanTracer
    private let decides: @Sendable (Request, Context) -> Bool

    /// - Parameter decides: returns true for a caller whose `traceparent` decides whether the trace is recorded. For
    ///   others the ratio of the tracer does, so that no caller can fill the collector.
    package init(tracer: SpanTracer, decides: @escaping @Sendable (Request, Context) -> Bool) {
        (self.tracer, self.decides) = (tracer, decides)
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let caller = TraceParent.read(request.headers[.traceparent], state: request.headers[.tracestate])
        let isSampled = caller.flatMap { decides(request, context) ? $0.isSampled : nil } ?? tracer.samples()
        guard isSampled else { return try await next(request, context) }
        let parent = caller.map { SpanIdentity(trace: $0.trace, span: $0.span, isSampled: true, state: $0.state) }
        let method = Self.methods.contains(request.method) ? request.method.rawValue : "other"
        return try await tracer.record(method, under: parent, kind: .server) { span in
            let response = try await next(request, context)
            let route = context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 } ?? "unmatched"
            span.operationName = "\(method) \(route)"
            span.updateAttributes { attributes in
                attributes["http.request.method"] = method
                attributes["http.route"] = route
                attributes["http.response.status_code"] = response.status.code
                attributes["graphd.request_id"] = response.headers[.requestID]
            }
            if response.status.kind == .serverError { span.setStatus(.init(code: .error)) }
            return response
        }
    }

    private static var methods: Set<HTTPRequest.Method> { [.get, .head, .post, .put, .delete, .patch, .options] }
}

extension HTTPField.Name {
    package static let traceparent = constant("traceparent")
    package static let tracestate = constant("tracestate")
    fileprivate static let requestID = constant("X-Request-Id")

    private static func constant(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("a constant header name must be a valid one")
        }
        return name
    }
}
