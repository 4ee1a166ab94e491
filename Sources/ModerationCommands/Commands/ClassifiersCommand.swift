import ArgumentParser
import CommandSupport
import Moderation
import StrictJSON

/// `graphd classifiers …`
struct ClassifiersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "classifiers", "Programs elsewhere that judge what is written, by signed webhooks.",
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
        @Option(help: ArgumentHelp("Of this community; without it those of the site.", valueName: "name"))
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
        "add", "Have what is written judged elsewhere.",
        "The secret that the calls are signed with is shown once, here.",
        examples: "classifiers add 'Nudity check' --url https://check.example/hook --timeout-ms 2000 --fallback hold")

    @Argument(help: "Its name.")
    var name: String

    @Option(help: ArgumentHelp("Where it is called.", valueName: "url"))
    var url: String

    @Option(name: .customLong("timeout-ms"), help: ArgumentHelp("How long it may take.", valueName: "milliseconds"))
    var timeout: Int64

    @Option(help: "What holds without an answer in time.")
    var fallback: ClassifierFallback

    @Option(help: ArgumentHelp("The community; without it the whole site.", valueName: "name"))
    var community: String?

    @Flag(name: .customLong("dry-run"), help: "Show the request, and send nothing.")
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
        "edit", "Change a classifier, or switch it on or off.",
        examples: "classifiers edit 244120833662976 --disable", "classifiers edit 244120833662976 --fallback allow")

    @Argument(help: "Its id.")
    var classifier: String

    @Option(help: ArgumentHelp("Another name.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Where it is called.", valueName: "url"))
    var url: String?

    @Option(name: .customLong("timeout-ms"), help: ArgumentHelp("How long it may take.", valueName: "milliseconds"))
    var timeout: Int64?

    @Option(help: "What holds without an answer in time.")
    var fallback: ClassifierFallback?

    @Flag(help: "Switch it on.")
    var enable = false

    @Flag(help: "Switch it off.")
    var disable = false

    @Flag(name: .customLong("dry-run"), help: "Show the request, and send nothing.")
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
        guard body != .object([]) else { throw ValidationError("Say what is to be changed.") }
        let change = PlannedChange(
            method: "PATCH", path: "\(ClassifiersCommand.path)/\(try settingID(classifier, "classifier"))", body: body,
            sentence: "Change the classifier \(classifier).")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}

struct ClassifierRemoveCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "remove", "Ask a classifier no longer.", examples: "classifiers remove 244120833662976")

    @Argument(help: "Its id.")
    var classifier: String

    @Flag(name: .customLong("dry-run"), help: "Show the request, and send nothing.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let change = PlannedChange(
            method: "DELETE", path: "\(ClassifiersCommand.path)/\(try settingID(classifier, "classifier"))",
            sentence: "Remove the classifier \(classifier).")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}
