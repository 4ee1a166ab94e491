import ArgumentParser
import CommandSupport
import Moderation
import SocialGraph

/// `graphd comment …`
struct CommentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "comment", "Look at comments, and moderate them.",
        examples: ["comment show 244120833662976", "comment remove 244120833662976 --reason 'An insult'"],
        [
            CommentShowCommand.self, OrderCommand<RemoveComment>.self, OrderCommand<RestoreComment>.self,
            OrderCommand<TakeDownComment>.self, OrderCommand<ReinstateComment>.self, OrderCommand<HoldComment>.self,
            OrderCommand<ApproveComment>.self,
        ])
}

struct CommentShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a comment, and what was done to it.", examples: "comment show 244120833662976")

    @Argument(help: "Its id.")
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
        .removeComment, "remove", "Remove comments in a community; their authors still see them.",
        "comment remove 244120833662976 --community Runners --reason 'An insult'")
}

enum RestoreComment: OrderKind {
    typealias Scope = OptionalCommunity
    static let description = OrderDescription(
        .restoreComment, "restore", "Show removed comments again.", "comment restore 244120833662976",
        usualReason: "restored")
}

enum TakeDownComment: OrderKind {
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .takedownComment, "takedown", "Hide comments from everybody, on the whole site.",
        "comment takedown 244120833662976 --reason 'Breaks the law'")
}

enum ReinstateComment: OrderKind {
    static let description = OrderDescription(
        .reinstateComment, "reinstate", "Show comments again that were taken down.",
        "comment reinstate 244120833662976", usualReason: "reinstated")
}

enum HoldComment: OrderKind {
    typealias Scope = OptionalCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .holdComment, "hold", "Put comments into the queue, invisible to others.",
        "comment hold 244120833662976 --reason 'Is being looked at'")
}

enum ApproveComment: OrderKind {
    typealias Scope = OptionalCommunity
    static let description = OrderDescription(
        .approveComment, "approve", "Let comments out of the queue.", "comment approve 244120833662976",
        usualReason: "approved")
}
