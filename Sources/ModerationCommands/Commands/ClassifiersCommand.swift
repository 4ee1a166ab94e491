import ArgumentParser
import CommandSupport
import Moderation
import StrictJSON

/// `graphd classifiers …`
struct ClassifiersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "classifiers", "Manage external programs that judge posts and comments through signed webhooks.",
        examples: [
            "classifiers list",
            "classifiers add 'Nudity check' --url https://check.example/hook --timeout-ms 2000 --fallback hold",
        ],
        [
            ListCommand<ClassifierList>.self, ClassifierAddCommand.self, ClassifierEditCommand.self,
            ClassifierRemoveCommand.self,
        ])

    static let path = "/v1/moderation/classifiers"
}

enum ClassifierFallback: String, ExpressibleByArgument, CaseIterable, Sendable { case allow, hold, flag, remove }

enum ClassifierList: ListKind {
    struct Filters: ListFilters {
        @Option(help: ArgumentHelp("Only those of this community. (default: of the site)", valueName: "name"))
        var community: String?

        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(
                path: ClassifiersCommand.path, query: [("communityId", try await server.communityID(community))])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "List classifiers.", examples: "classifiers list --community Runners")
    static let columns = [
        TableColumn("classifier", "classifierId", .whole), TableColumn("name", "name"), TableColumn("url", "url"),
        TableColumn("timeout ms", "timeoutMs"), TableColumn("else", "fallback"),
        TableColumn("enabled", "enabled", .flag),
    ]
}

struct ClassifierAddCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "add", "Add a classifier for new posts and comments.",
        "The secret that signs the calls is printed once, by this command.",
        examples: "classifiers add 'Nudity check' --url https://check.example/hook --timeout-ms 2000 --fallback hold")

    @Argument(help: "Name of the classifier.")
    var name: String

    @Option(help: ArgumentHelp("URL that receives the calls.", valueName: "url"))
    var url: String

    @Option(name: .customLong("timeout-ms"), help: ArgumentHelp("Time limit for an answer.", valueName: "milliseconds"))
    var timeout: Int64

    @Option(help: "Verdict if no answer arrives in time.")
    var fallback: ClassifierFallback

    @Option(help: ArgumentHelp("Community that the classifier serves. (default: the whole site)", valueName: "name"))
    var community: String?

    @Flag(name: .customLong("dry-run"), help: "Print the request without sending it.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let body = JSONValue.members(
            ("name", .string(name)), ("url", .string(url)), ("timeoutMs", .integer(timeout)),
            ("fallback", .string(fallback.rawValue)),
            ("communityId", try await server.communityID(community).map { .string($0) }))
        let change = PlannedChange(
            method: "POST", path: ClassifiersCommand.path, body: body, sentence: "Add the classifier \"\(name)\".")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}

struct ClassifierEditCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "edit", "Change a classifier, or enable or disable it.",
        examples: "classifiers edit 244120833662976 --disable", "classifiers edit 244120833662976 --fallback allow")

    @Argument(help: "Id of the classifier.")
    var classifier: String

    @Option(help: ArgumentHelp("New name.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("URL that receives the calls.", valueName: "url"))
    var url: String?

    @Option(name: .customLong("timeout-ms"), help: ArgumentHelp("Time limit for an answer.", valueName: "milliseconds"))
    var timeout: Int64?

    @Option(help: "Verdict if no answer arrives in time.")
    var fallback: ClassifierFallback?

    @Flag(help: "Enable the classifier.")
    var enable = false

    @Flag(help: "Disable the classifier.")
    var disable = false

    @Flag(name: .customLong("dry-run"), help: "Print the request without sending it.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if enable, disable { throw ValidationError("Give --enable or --disable, not both.") }
    }

    func run(on server: ModerationServer) async throws {
        let body = JSONValue.members(
            ("name", name.map { .string($0) }), ("url", url.map { .string($0) }),
            ("timeoutMs", timeout.map { .integer($0) }), ("fallback", fallback.map { .string($0.rawValue) }),
            ("enabled", enable || disable ? .bool(enable) : nil))
        guard body != .object([]) else { throw ValidationError("Name at least one option to change.") }
        let change = PlannedChange(
            method: "PATCH", path: "\(ClassifiersCommand.path)/\(try settingID(classifier, "classifier"))", body: body,
            sentence: "Change the classifier \(classifier).")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}

struct ClassifierRemoveCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "remove", "Remove a classifier.", examples: "classifiers remove 244120833662976")

    @Argument(help: "Id of the classifier.")
    var classifier: String

    @Flag(name: .customLong("dry-run"), help: "Print the request without sending it.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let change = PlannedChange(
            method: "DELETE", path: "\(ClassifiersCommand.path)/\(try settingID(classifier, "classifier"))",
            sentence: "Remove the classifier \(classifier).")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}
