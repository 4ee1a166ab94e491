import ArgumentParser
import CommandSupport
import Moderation
import SocialGraph
import StrictJSON

/// Acts on the reported subject, then closes the report.
struct ReportResolveCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "resolve", "Close reports, and act on the reported items.",
        """
        dismiss: no action is needed; actioned: somebody has acted already. The other actions are carried out on the \
        reported item or its author before the report is closed. Each of the two steps has a batch, which can be \
        undone. Outside communities, remove means takedown.
        """,
        examples: "report resolve 244120833662976 --action dismiss",
        "report resolve 244120833662976 --action ban --reason 'Spam, again' --for 7d")

    enum Act: String, ExpressibleByArgument, CaseIterable, Sendable {
        case dismiss, actioned, remove, takedown, warn, suspend, silence, ban
    }

    @Argument(help: ArgumentHelp(SubjectInput.help, valueName: "report"))
    var reports: [String]

    @Option(help: "Action on the reported item or its author.")
    var action: Act

    @OptionGroup var ending: EndingOptions
    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    var isPlain: Bool { action == .dismiss || action == .actioned }

    func validate() throws {
        if !isPlain, order.reason == nil {
            throw ValidationError("A reason is required: --reason TEXT")
        }
        if isPlain, ending.duration != nil || ending.until != nil {
            throw ValidationError("--action \(action.rawValue) does not end: leave out --for and --until.")
        }
    }

    func run(on server: ModerationServer) async throws {
        let ids = try await server.ids(SubjectInput.texts(reports), of: .report)
        let reason = order.reason ?? (action == .dismiss ? "dismissed" : "done")
        var drafts: [OrderDraft] = []
        if !isPlain {
            for id in ids {
                let item = try await server.reportedItem(id)
                try add(Self.target(of: action, item), to: &drafts, reason: reason)
            }
        }
        let resolution: ReportResolution = action == .dismiss ? .dismissed : .actioned
        drafts.append(
            OrderDraft(
                action: .resolveReport, subjects: ids, names: ids, reason: reason, note: order.note,
                details: [JSONMember(name: "resolution", value: .string(resolution.rawValue))]))
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run(drafts)
    }

    /// Adds the target to the drafts, with one order for all subjects treated alike.
    private func add(_ target: Target, to drafts: inout [OrderDraft], reason: String) throws {
        if let index = drafts.firstIndex(where: {
            $0.action == target.action && $0.communityID == target.community
        }) {
            guard !drafts[index].subjects.contains(target.subject) else { return }
            drafts[index].subjects.append(target.subject)
            drafts[index].names.append(target.name)
        } else {
            drafts.append(
                OrderDraft(
                    action: target.action, subjects: [target.subject], names: [target.name],
                    communityID: target.community, reason: reason, note: order.note, details: try ending.members()))
        }
    }

    struct Target: Equatable {
        let action: ModerationAction
        let subject: String
        let name: String
        var community: String?
    }

    /// Returns the action and its subject. Throws ``ModerationFailure`` if the action does not apply to the reported
    /// subject.
    static func target(of act: Act, _ item: ReportedItem) throws -> Target {
        let community = item.communityID
        switch act {
        case .remove, .takedown:
            // Removal is only possible from a community.
            let isRemoval = act == .remove && community != nil
            switch item.subject {
            case .post(let post):
                return Target(action: isRemoval ? .removePost : .takedownPost, subject: post, name: "post:\(post)")
            case .comment(let comment):
                return Target(
                    action: isRemoval ? .removeComment : .takedownComment, subject: comment, name: "comment:\(comment)")
            case .user, .other: break
            }
        case .warn, .suspend, .silence, .ban:
            guard let (user, name) = item.user ?? item.reportedUser else { break }
            switch act {
            case .suspend: return Target(action: .suspendUser, subject: user, name: name)
            case .silence: return Target(action: .silenceUser, subject: user, name: name)
            case .warn: return Target(action: .warnUser, subject: user, name: name, community: community)
            default:
                if let community { return Target(action: .banMember, subject: user, name: name, community: community) }
            }
        case .dismiss, .actioned: break
        }
        throw ModerationFailure(
            .badData,
            "\"\(act.rawValue)\" does not apply to the subject of report \(item.reportID). Nothing was changed.")
    }
}
