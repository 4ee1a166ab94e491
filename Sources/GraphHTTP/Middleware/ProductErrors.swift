import GraphAPI
import GraphServices
import Hummingbird
import NIOCore

/// Answers errors in the format of a product API, with the same status as `/v1`.
package struct ProductErrors: RouterMiddleware {
    /// Writes the members of the error object.
    let write: @Sendable (inout JSONWriter, Problem) -> Void

    package init(write: @escaping @Sendable (inout JSONWriter, Problem) -> Void) {
        self.write = write
    }

    package func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = Problem(describing: error)
            RequestObserver.log(problem, context)
            return response(to: problem)
        }
    }

    func response(to problem: Problem) -> Response {
        .json(problem.status, headers: problem.headers) { json in
            json.beginObject()
            write(&json, problem)
            json.member("code", problem.code.rawValue)
            json.endObject()
        }
    }
}
