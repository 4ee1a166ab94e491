import GraphServices
import HTTPTypes
import Hummingbird
import Logging
import TracingSpans

/// The outermost middleware: names the request, turns any thrown error into a problem answer, and records one log line
/// and two metrics.
package struct RequestObserver: RouterMiddleware {
    let routes: RouteTable
    let metrics: RequestMetrics
    var proxies = TrustedProxies.none
    /// The formats of errors by the first segment of the path; everything else gets problem answers.
    var products: [String: ProductErrors] = [:]
    /// True if lines name the trace of their request, if it is recorded.
    var isTraced = false

    /// The router's route name for a request that matched no route.
    private static let unmatched = "unmatched"

    package func handle(
        _ request: Request,
        context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        context.proxies = proxies
        if let offered = request.headers[.xRequestID], Self.isAcceptable(offered) {
            context.requestID = offered
        }
        var response: Response
        do {
            try Self.refuseEmptySegments(in: request.uri.path)
            response = try await next(request, context)
        } catch {
            response = answer(to: error, request, context)
        }
        response.headers[.xRequestID] = context.requestID
        record(request, context, status: response.status, took: start.duration(to: .now))
        return response
    }

    /// Refuses empty path segments. The router would skip them, which would give one resource many paths.
    private static func refuseEmptySegments(in path: String) throws {
        var last: UInt8 = 0
        for byte in path.utf8 {
            if byte == UInt8(ascii: "/"), last == byte {
                throw Problem(.notFound, "This server has no such path.")
            }
            last = byte
        }
    }

    /// Returns true for 1 to 64 letters, digits, dots, hyphens and underscores: safe in a header, a log line and a file
    /// name.
    package static func isAcceptable(_ requestID: String) -> Bool {
        RequestLimits.requestIDLength.contains(requestID.utf8.count)
            && requestID.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private func answer(to error: any Error, _ request: Request, _ context: GraphRequestContext) -> Response {
        let problem = problem(for: error, request, context)
        Self.log(problem, context)
        let first = request.uri.path.split(separator: "/", maxSplits: 1).first
        if let errors = first.flatMap({ products[String($0)] }) { return errors.response(to: problem) }
        return problem.response(requestID: context.requestID)
    }

    /// Logs the details that a client does not get.
    static func log(_ problem: Problem, _ context: GraphRequestContext) {
        // A departed client is no failure, and must not be able to fill the log.
        let isFailure = problem.status.kind == .serverError && !(problem.underlying is CancellationError)
        if isFailure {
            context.namedLogger.error(
                "request failed",
                metadata: [
                    LogKeys.problem: .string(problem.code.rawValue),
                    LogKeys.error: .string(problem.underlying.map { "\($0)" } ?? problem.detail),
                ]
            )
        } else if context.logger.logLevel <= .debug, let underlying = problem.underlying {
            context.namedLogger.debug(
                "request refused",
                metadata: [
                    LogKeys.problem: .string(problem.code.rawValue),
                    LogKeys.error: .string("\(underlying)"),
                ]
            )
        }
    }

    private func problem(for error: any Error, _ request: Request, _ context: GraphRequestContext) -> Problem {
        guard Self.route(of: context) == Self.unmatched, (error as? HTTPError)?.status == .notFound else {
            return Problem(describing: error)
        }
        let methods = routes.methods(at: request.uri.path)
        if methods.isEmpty {
            return Problem(.notFound, "This server has no such path.")
        }
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        return Problem(.methodNotAllowed, "This path allows only \(allowed).", advice: [.methods(allowed)])
    }

    private func record(
        _ request: Request, _ context: GraphRequestContext, status: HTTPResponse.Status, took duration: Duration
    ) {
        let route = Self.route(of: context)
        metrics.record(method: request.method, route: route, status: status, duration: duration)
        if context.logger.logLevel <= .info {
            var metadata = Self.metadata(request, context, route, status, duration)
            if isTraced, let span = SpanTracer.span { metadata[LogKeys.traceID] = "\(span.trace)" }
            context.namedLogger.info("request", metadata: metadata)
        }
    }

    private static func metadata(
        _ request: Request,
        _ context: GraphRequestContext,
        _ route: String,
        _ status: HTTPResponse.Status,
        _ duration: Duration
    ) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            LogKeys.method: .string(RequestMetrics.boundedName(of: request.method)),
            LogKeys.route: .string(route),
            LogKeys.status: .stringConvertible(status.code),
            LogKeys.durationMilliseconds: .stringConvertible((duration / .microseconds(1)).rounded() / 1000),
        ]
        if let userID = context.caller.userID {
            metadata[LogKeys.userID] = .string(String(userID))
        }
        if let service = context.caller.service {
            metadata[LogKeys.serviceToken] = .string(String(service))
        }
        // Typical answers to guesses and floods.
        if [.unauthorized, .forbidden, .tooManyRequests].contains(status) {
            metadata[LogKeys.address] = .string(context.address(of: request)?.description ?? "local")
        }
        return metadata
    }

    /// Returns the route's template (`/v1/users/{id}`), so that ids stay out of labels.
    private static func route(of context: GraphRequestContext) -> String {
        guard let path = context.endpointPath, path != "NotFound" else {
            return unmatched
        }
        return path
    }
}

extension HTTPField.Name {
    static let xRequestID: HTTPField.Name = {
        guard let name = HTTPField.Name("X-Request-Id") else {
            preconditionFailure("a constant header name must be a valid one")
        }
        return name
    }()
}
