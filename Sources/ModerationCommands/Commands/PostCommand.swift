import ArgumentParser
import CommandSupport
import Moderation
import SocialGraph
import StrictJSON

/// `graphd post …`
struct PostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "post", "Inspect and moderate posts.",
        examples: [
            "post show 244120806002688", "post remove 244120806002688 --community Runners --reason 'Off topic'",
            "post takedown - --reason Spam < ids.txt",
        ],
        [
            PostShowCommand.self, OrderCommand<RemovePost>.self, OrderCommand<RestorePost>.self,
            OrderCommand<TakeDownPost>.self, OrderCommand<ReinstatePost>.self, OrderCommand<HoldPost>.self,
            OrderCommand<ApprovePost>.self, OrderCommand<PinPost>.self, OrderCommand<UnpinPost>.self,
            OrderCommand<FeaturePost>.self, OrderCommand<UnfeaturePost>.self,
        ])
}

struct PostShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a post and its moderation history.", examples: "post show 244120806002688")

    @Argument(help: "Id of the post.")
    var post: String

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let record = try await server.content(try SubjectInput.id(post, of: .post), "/v1/posts", of: .post)
        show(record) { RecordRendering.lines(record, on: $0, columns: ModlogList.inRecords) }
    }
}

extension ModerationServer {
    /// Returns a post or comment, with its entries of the modlog if this user may see them. Content hidden from
    /// everybody still has those.
    func content(_ id: String, _ path: String, of kind: ModerationSubjectName) async throws -> JSONValue {
        let log = try await found { _ in try await get("/v1/moderation/modlog", [(kind.member, id)]) }
        let entries = log?.member("items")
        do {
            return try await get("\(path)/\(id)").setting("entries", to: entries ?? .array([]))
        } catch RequestFailure.problem(status: 404, let code, let detail) {
            guard let entries, entries.arrayValue?.isEmpty == false else {
                throw RequestFailure.problem(status: 404, code: code, detail: detail)
            }
            return .members((kind.member, .string(id)), ("hidden", .bool(true)), ("entries", entries))
        }
    }
}

enum RemovePost: OrderKind {
    typealias Scope = OptionalCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .removePost, "remove", "Remove posts from their community; their authors still see them.",
        "post remove 244120806002688 --community Runners --reason 'Off topic'")
}

enum RestorePost: OrderKind {
    typealias Scope = OptionalCommunity
    static let description = OrderDescription(
        .restorePost, "restore", "Restore removed posts to their community.", "post restore 244120806002688",
        usualReason: "restored")
}

enum TakeDownPost: OrderKind {
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .takedownPost, "takedown", "Take posts down on the whole site; nobody sees them.",
        "post takedown 244120806002688 --reason 'Breaks the law' --dry-run")
}

enum ReinstatePost: OrderKind {
    static let description = OrderDescription(
        .reinstatePost, "reinstate", "Reinstate posts that were taken down.", "post reinstate 244120806002688",
        usualReason: "reinstated")
}

enum HoldPost: OrderKind {
    typealias Scope = OptionalCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .holdPost, "hold", "Hold posts for review; only their authors see them.",
        "post hold 244120806002688 --reason 'Is being looked at' --for 12h")
}

enum ApprovePost: OrderKind {
    typealias Scope = OptionalCommunity
    static let description = OrderDescription(
        .approvePost, "approve", "Approve held posts.", "post approve 244120806002688", usualReason: "approved")
}

enum PinPost: OrderKind {
    typealias Scope = OptionalCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .pinPost, "pin", "Pin posts to the top of their community.", "post pin 244120806002688 --for 7d",
        usualReason: "pinned")
}

enum UnpinPost: OrderKind {
    typealias Scope = OptionalCommunity
    static let description = OrderDescription(
        .unpinPost, "unpin", "Unpin posts from the top of their community.", "post unpin 244120806002688",
        usualReason: "unpinned")
}

enum FeaturePost: OrderKind {
    typealias Scope = OptionalCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .featurePost, "feature", "Feature posts of a community.", "post feature 244120806002688",
        usualReason: "featured")
}

enum UnfeaturePost: OrderKind {
    typealias Scope = OptionalCommunity
    static let description = OrderDescription(
        .unfeaturePost, "unfeature", "Stop featuring posts.", "post unfeature 244120806002688",
        usualReason: "no longer featured")
}
