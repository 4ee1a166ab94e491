import ArgumentParser
import CommandSupport
import Moderation
import SocialGraph
import StrictJSON

/// `graphd community …`
struct CommunityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "community", "Inspect and change the communities that you moderate.",
        examples: [
            "community list", "community lock Runners --reason 'A raid' --for 2h",
            "community approve Runners ada bob",
        ],
        [
            ListCommand<CommunityList>.self, CommunityShowCommand.self, ListCommand<CommunityMembers>.self,
            OrderCommand<LockCommunity>.self, OrderCommand<UnlockCommunity>.self, OrderCommand<ArchiveCommunity>.self,
            OrderCommand<UnarchiveCommunity>.self, OrderCommand<MakeCommunityPrivate>.self,
            OrderCommand<MakeCommunityPublic>.self, CommunityRenameCommand.self, CommunityTransferCommand.self,
            CommunityOrderCommand<PinPost>.self, CommunityOrderCommand<UnpinPost>.self,
            CommunityOrderCommand<FeaturePost>.self, CommunityOrderCommand<UnfeaturePost>.self,
            ListCommand<JoinRequestList>.self, CommunityOrderCommand<ApproveRequest>.self,
            CommunityOrderCommand<DeclineRequest>.self,
        ])
}

enum LockCommunity: OrderKind {
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .lockCommunity, "lock", "Lock communities; only moderators can post.",
        "community lock Runners --reason 'A raid' --for 2h", usualReason: "locked")
}

enum UnlockCommunity: OrderKind {
    static let description = OrderDescription(
        .unlockCommunity, "unlock", "Unlock communities; members can post again.", "community unlock Runners",
        usualReason: "unlocked")
}

enum ArchiveCommunity: OrderKind {
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .archiveCommunity, "archive", "Archive communities; they become read-only.",
        "community archive Runners --reason 'The season is over'")
}

enum UnarchiveCommunity: OrderKind {
    static let description = OrderDescription(
        .unarchiveCommunity, "unarchive", "Reopen archived communities.", "community unarchive Runners",
        usualReason: "open again")
}

enum MakeCommunityPrivate: OrderKind {
    static let description = OrderDescription(
        .makeCommunityPrivate, "private", "Make communities private; only members see new posts.",
        "community private Runners", usualReason: "made private")
}

enum MakeCommunityPublic: OrderKind {
    static let description = OrderDescription(
        .makeCommunityPublic, "public", "Make private communities public; earlier posts stay visible only to members.",
        "community public Runners", usualReason: "made public")
}

enum ApproveRequest: OrderKind {
    static let description = OrderDescription(
        .approveRequest, "approve", "Approve requests to join a private community.",
        "community approve Runners ada bob", usualReason: "approved")
}

enum DeclineRequest: OrderKind {
    static let description = OrderDescription(
        .declineRequest, "decline", "Decline requests to join a private community.",
        "community decline Runners cyd --reason 'We are full'", usualReason: "declined")
}

/// `graphd community VERB COMMUNITY SUBJECT…`
struct CommunityOrderCommand<Kind: OrderKind>: ModerationCommand {
    static var configuration: CommandConfiguration {
        let description = Kind.description
        let subject = description.kind == .post ? "244120806002688" : "ada"
        return .moderation(
            description.name, description.abstract, examples: "community \(description.name) Runners \(subject)")
    }

    @Argument(help: "Name of the community.")
    var community: String

    @Argument(help: ArgumentHelp(SubjectInput.help, valueName: Kind.description.kind.rawValue))
    var subjects: [String]

    @OptionGroup var ending: Kind.Ending
    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let description = Kind.description
        let id: String = try await server.communityID(community)
        let names = try SubjectInput.texts(subjects)
        let ids = try await server.ids(names, of: description.kind)
        let draft = OrderDraft(
            action: description.action, subjects: ids, names: names,
            communityID: id,
            reason: try description.reason(order.reason), note: order.note, details: try ending.members())
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run([draft])
    }
}

struct CommunityRenameCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "rename", "Rename a community.", examples: "community rename Runners 'Trail runners'")

    @Argument(help: "Name of the community.")
    var community: String

    @Argument(help: "New name.")
    var name: String

    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let draft = OrderDraft(
            action: .renameCommunity, subjects: [try await server.communityID(community)], names: [community],
            reason: order.reason ?? "renamed", note: order.note,
            details: [JSONMember(name: "name", value: .string(name))])
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run([draft])
    }
}

struct CommunityTransferCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "transfer", "Transfer a community to a member; the former owner becomes a moderator.",
        examples: "community transfer Runners bob --reason 'I am moving away'")

    @Argument(help: "Name of the community.")
    var community: String

    @Argument(help: "Username of the new owner.")
    var successor: String

    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let owner: String = try await server.userID(successor)
        let draft = OrderDraft(
            action: .transferCommunity, subjects: [try await server.communityID(community)],
            names: ["\(community) to \(successor)"], reason: order.reason ?? "transferred", note: order.note,
            details: [JSONMember(name: "successorId", value: .string(owner))])
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run([draft])
    }
}
