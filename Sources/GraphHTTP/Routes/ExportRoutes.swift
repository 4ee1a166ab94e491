import Database
import GraphServices
import HTTPTypes
import Hummingbird
import SocialGraph
import Timeline

/// The export of all of the caller's data.
struct ExportRoutes: Sendable {
    let graph: GraphStore
    let budgets: Budgets
    let encoding: PostEncoding

    /// `GET /v1/me/export` → one JSON object, as a download; see ``AccountExport``. A client that takes none of it for
    /// too long is disconnected.
    @Sendable func export(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        let slot = try budgets.slot(
            .exports, for: .user(caller.rawValue), .address(context.addressBlock(of: request)))
        guard let account = try await graph.accounts.account(caller) else { throw GraphError.accountNotFound }
        let export = AccountExport(graph: graph, account: account, encoding: encoding)
        let body = ResponseBody { writer in
            defer { slot.release() }
            let watch = WriteWatch()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await watch.close(context, ifAWriteTakes: RequestLimits.streamWriteLimit) }
                defer { group.cancelAll() }
                try await export.write(to: &writer, watch)
            }
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [
            .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"\(account.username).json\"",
        ]
        return Response(status: .ok, headers: headers, body: body)
    }
}
