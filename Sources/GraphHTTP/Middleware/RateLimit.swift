import GraphServices
import HTTPTypes
import Hummingbird

/// Counts a request against its caller's budgets, and refuses excess. It runs after authentication, so that users are
/// counted as such, and other callers by address.
package struct RateLimit: RouterMiddleware {
    let budgets: Budgets

    package init(budgets: Budgets) {
        self.budgets = budgets
    }

    package func handle(
        _ request: Request,
        context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        try admit(request, context)
        guard let budget = RouteBudgets.budget(of: request.method, at: context.endpointPath) else {
            return try await next(request, context)
        }
        let holder =
            budget.isByAddress ? .address(context.addressBlock(of: request)) : context.holder(of: request)
        guard let receipt = try budgets.spend(budget, of: holder) else {
            return try await inTurn(budget, request, context, next)
        }
        do {
            var response = try await inTurn(budget, request, context, next)
            response.headers.addUnlessThere(HTTPFields(.rate(receipt)))
            return response
        } catch {
            throw Problem(describing: error).advising(.rate(receipt))
        }
    }

    /// - Throws: `Problem` 429 `rate_limited`.
    func admit(_ request: Request, _ context: GraphRequestContext) throws {
        guard budgets.limits(.requests) else { return }
        try budgets.spend(.requests, of: context.holder(of: request))
    }

    /// Lets the handler answer; a heavy read when it is the caller's turn. Its body is read before, so that a slow
    /// sender does not keep others waiting. Handlers of other methods read none.
    private func inTurn(
        _ budget: RateBudget, _ request: Request, _ context: GraphRequestContext,
        _ next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        guard budget.isHeavyRead else { return try await next(request, context) }
        let hasBody = request.method == .post || request.method == .patch
        let whole = try await hasBody ? request.collected() : request
        return try await budgets.heavyRead(for: context.workCaller(of: request)) { try await next(whole, context) }
    }
}
