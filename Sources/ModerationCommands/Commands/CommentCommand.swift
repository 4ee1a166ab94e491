import ArgumentParser
import CommandSupport
import Moderation
import SocialGraph

/// `graphd comment …`
struct CommentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "comment", "Inspect and moderate comments.",
        examples: ["comment show 244120833662976", "comment remove 244120833662976 --reason 'An insult'"],
        [
            CommentShowCommand.self, OrderCommand<RemoveComment>.self, OrderCommand<RestoreComment>.self,
            OrderCommand<TakeDownComment>.self, OrderCommand<ReinstateComment>.self, OrderCommand<HoldComment>.self,
            OrderCommand<ApproveComment>.self,
        ])
}

struct CommentShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a comment and its moderation history.", examples: "comment show 244120833662976")

    @Argument(help: "Id of the comment.")
    var comment: String

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let record = try await server.content(try SubjectInput.id(comment, of: .comment), "/v1/comments", of: .comment)
        show(record) { RecordRendering.lines(record, on: $0, columns: ModlogList.inRecords) }
    }
}

enum RemoveComment: OrderKind {
    typealias Scope = OptionalCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .removeComment, "remove", "Remove comments from a community; their authors still see them.",
        "comment remove 244120833662976 --community Runners --reason 'An insult'")
}

enum RestoreComment: OrderKind {
    typealias Scope = OptionalCommunity
    static let description = OrderDescription(
        .restoreComment, "restore", "Restore removed comments.", "comment restore 244120833662976",
        usualReason: "restored")
}

enum TakeDownComment: OrderKind {
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .takedownComment, "takedown", "Take comments down on the whole site; nobody sees them.",
        "comment takedown 244120833662976 --reason 'Breaks the law'")
}

enum ReinstateComment: OrderKind {
    static let description = OrderDescription(
        .reinstateComment, "reinstate", "Reinstate comments that were taken down.",
        "comment reinstate 244120833662976", usualReason: "reinstated")
}

enum HoldComment: OrderKind {
    typealias Scope = OptionalCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .holdComment, "hold", "Hold comments for review; only their authors see them.",
        "comment hold 244120833662976 --reason 'Is being looked at'")
}

enum ApproveComment: OrderKind {
    typealias Scope = OptionalCommunity
    static let description = OrderDescription(
        .approveComment, "approve", "Approve held comments.", "comment approve 244120833662976",
        usualReason: "approved")
}
