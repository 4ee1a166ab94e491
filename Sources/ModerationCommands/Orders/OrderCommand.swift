import ArgumentParser
import CommandSupport
import Moderation
import SocialGraph

/// One action as a command.
struct OrderDescription: Sendable {
    let action: ModerationAction
    let name: String
    let abstract: String
    let examples: [String]
    /// The default reason; nil if a reason is required.
    let usualReason: String?

    /// - Parameter usualReason: For actions that are in nobody's disfavour.
    init(
        _ action: ModerationAction, _ name: String, _ abstract: String, _ examples: String...,
        usualReason: String? = nil
    ) {
        self.action = action
        self.name = name
        self.abstract = abstract
        self.examples = examples
        self.usualReason = usualReason
    }

    var kind: ModerationSubjectName { ModerationSubjectName(rawValue: action.subjectKind.rawValue) ?? .user }

    func reason(_ given: String?) throws -> String {
        guard let reason = given ?? usualReason else {
            throw ValidationError("A reason is required: --reason TEXT")
        }
        return reason
    }
}

/// The properties that distinguish one ``OrderCommand`` from another.
protocol OrderKind: Sendable {
    associatedtype Scope: ScopeChoice = NoScope
    associatedtype Ending: EndingChoice = NoEnding
    static var description: OrderDescription { get }
}

/// `graphd NOUN VERB SUBJECT… --reason TEXT`
struct OrderCommand<Kind: OrderKind>: ModerationCommand {
    static var configuration: CommandConfiguration {
        let description = Kind.description
        return CommandConfiguration(
            commandName: description.name, abstract: description.abstract,
            discussion: "Example:\n" + description.examples.map { "  graphd \($0)" }.joined(separator: "\n")
                + "\n\n" + CommandStatus.documentation)
    }

    @Argument(help: ArgumentHelp(SubjectInput.help, valueName: Kind.description.kind.rawValue))
    var subjects: [String]

    @OptionGroup var scope: Kind.Scope
    @OptionGroup var ending: Kind.Ending
    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws { _ = try Kind.description.reason(order.reason) }

    func run(on server: ModerationServer) async throws {
        let description = Kind.description
        let community = try await server.communityID(scope.community)
        let names = try SubjectInput.texts(subjects)
        let ids = try await server.ids(names, of: description.kind)
        let draft = OrderDraft(
            action: description.action, subjects: ids, names: names, communityID: community,
            reason: try description.reason(order.reason), note: order.note, details: try ending.members())
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run([draft])
    }
}
