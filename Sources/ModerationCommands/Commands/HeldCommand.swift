import ArgumentParser
import CommandSupport
import Database
import Moderation
import SocialGraph
import StrictJSON

/// `graphd queue …`: posts and comments held for review.
struct HeldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "queue", "Review held posts and comments.",
        examples: ["queue list --watch", "queue approve post:244120806002688", "queue list | graphd queue approve -"],
        [QueueCommand<HeldList>.self, HeldDecisionCommand<ApproveHeld>.self, HeldDecisionCommand<RemoveHeld>.self])
}

enum HeldList: ListKind {
    enum Kind: String, ExpressibleByArgument, CaseIterable, Sendable { case post, comment }

    struct Filters: ListFilters {
        @Option(help: ArgumentHelp("Only items in this community.", valueName: "name"))
        var community: String?

        @Option(help: "Kind of held items.")
        var kind: Kind?

        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(
                path: "/v1/moderation/queue",
                query: [("communityId", try await server.communityID(community)), ("kind", kind?.rawValue)])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "List held posts and comments.", examples: "queue list --community Runners", "queue list --watch")
    static let columns = [
        TableColumn("subject", "subject", .subject), TableColumn("held", "heldAt", .time),
        TableColumn("by", "user"), TableColumn("in", "community"), TableColumn("rule", "rule"),
        TableColumn("reason", "reason"), TableColumn("text", "text"),
    ]
}

protocol HeldDecision: Sendable {
    static var name: String { get }
    static var abstract: String { get }
    /// Returns the action on a held subject, in a community or outside of all.
    static func action(on kind: ModerationSubjectName, inCommunity: Bool) -> ModerationAction
    static var usualReason: String? { get }
}

enum ApproveHeld: HeldDecision {
    static let name = "approve"
    static let abstract = "Approve held posts and comments; they appear at their original positions."
    static let usualReason: String? = "approved"

    static func action(on kind: ModerationSubjectName, inCommunity: Bool) -> ModerationAction {
        kind == .post ? .approvePost : .approveComment
    }
}

enum RemoveHeld: HeldDecision {
    static let name = "remove"
    static let abstract = "Remove held items from their community, or take them down if they have none."
    static let usualReason: String? = nil

    static func action(on kind: ModerationSubjectName, inCommunity: Bool) -> ModerationAction {
        inCommunity
            ? kind == .post ? .removePost : .removeComment
            : kind == .post ? .takedownPost : .takedownComment
    }
}

/// `graphd queue VERB SUBJECT…`
struct HeldDecisionCommand<Decision: HeldDecision>: ModerationCommand {
    static var configuration: CommandConfiguration {
        let reason = Decision.usualReason == nil ? " --reason Spam" : ""
        return .moderation(
            Decision.name, Decision.abstract, examples: "queue \(Decision.name) post:244120806002688\(reason)")
    }

    @Argument(help: ArgumentHelp("post:ID or comment:ID. " + SubjectInput.help, valueName: "subject"))
    var subjects: [String]

    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if order.reason == nil, Decision.usualReason == nil {
            throw ValidationError("A reason is required: --reason TEXT")
        }
    }

    func run(on server: ModerationServer) async throws {
        let texts = try SubjectInput.texts(subjects)
        let held = try await server.items(ListRequest(path: "/v1/moderation/queue"), count: .max).items
        var drafts: [OrderDraft] = []
        for text in texts {
            let (action, id, name) = try Self.decision(text, held)
            let index = drafts.firstIndex { $0.action == action } ?? drafts.endIndex
            if index == drafts.endIndex {
                drafts.append(
                    OrderDraft(
                        action: action, subjects: [], names: [], reason: order.reason ?? Decision.usualReason ?? "",
                        note: order.note))
            }
            drafts[index].subjects.append(id)
            drafts[index].names.append(name)
        }
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run(drafts)
    }

    private static func decision(
        _ text: String, _ held: [JSONValue]
    ) throws -> (action: ModerationAction, id: String, name: String) {
        let named = [ModerationSubjectName.post, .comment].first { text.hasPrefix($0.rawValue + ":") }
        let id = try SubjectInput.id(text, of: named ?? .post)
        let kinds = named.map { [$0] } ?? [.post, .comment]
        for kind in kinds {
            guard let item = held.first(where: { $0.member("subject")?.member(kind.member)?.stringValue == id }) else {
                continue
            }
            let isInCommunity = item.at("community.communityId") != nil
            return (Decision.action(on: kind, inCommunity: isInCommunity), id, "\(kind.rawValue):\(id)")
        }
        throw ModerationFailure(.notFound, "\(text) is not held. Nothing was changed.")
    }
}
