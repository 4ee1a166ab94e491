import ArgumentParser
import CommandSupport
import Database
import Moderation
import SocialGraph
import StrictJSON

/// `graphd report …`
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "report", "Review and resolve reports by users.",
        examples: [
            "report list --community Runners --status open", "report claim 244120833662976",
            "report resolve 244120833662976 --action remove --reason 'Off topic'",
        ],
        [
            QueueCommand<ReportList>.self, QueueCommand<CaseList>.self, ReportShowCommand.self,
            OrderCommand<ClaimReport>.self, OrderCommand<ReleaseReport>.self, ReportResolveCommand.self,
            ReportFileCommand.self,
        ])
}

enum ReportList: ListKind {
    enum Status: String, ExpressibleByArgument, CaseIterable, Sendable { case open, claimed, resolved, all }
    enum Kind: String, ExpressibleByArgument, CaseIterable, Sendable { case post, comment, user, community }

    struct Filters: ListFilters {
        @Option(help: ArgumentHelp("Only reports in this community.", valueName: "name"))
        var community: String?

        @Option(help: "Status of the reports.")
        var status = Status.open

        @Option(help: "Kind of reported items.")
        var kind: Kind?

        @Option(help: ArgumentHelp("Only reports about this user or their content.", valueName: "username"))
        var user: String?

        func request(on server: ModerationServer) async throws -> ListRequest {
            try await request(for: "/v1/moderation/reports", on: server)
        }

        func request(for path: String, on server: ModerationServer) async throws -> ListRequest {
            ListRequest(
                path: path,
                query: [
                    ("communityId", try await server.communityID(community)), ("status", status.rawValue),
                    ("kind", kind?.rawValue), ("userId", try await server.userID(user)),
                ])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "List reports.",
        examples: "report list --community Runners --status open", "report list --watch", "report list --json --all")
    static let columns = [
        TableColumn("report", "reportId", .whole), TableColumn("at", "createdAt", .time),
        TableColumn("status", "status"),
        TableColumn("subject", "subject", .subject), TableColumn("by", "user"),
        TableColumn("in", "community", isDispensable: true),
        TableColumn("times", "openReports", .whole, isDispensable: true),
        TableColumn("reporter", "reporter", isDispensable: true), TableColumn("claimed", "claimedBy"),
        TableColumn("reason", "reason"), TableColumn("excerpt", "excerpt"),
    ]
}

/// Reports by subject.
enum CaseList: ListKind {
    struct Filters: ListFilters {
        @OptionGroup var reports: ReportList.Filters

        func request(on server: ModerationServer) async throws -> ListRequest {
            try await reports.request(for: "/v1/moderation/cases", on: server)
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "cases", "List reports by subject: all reports about one post, comment, user or community in one row.",
        examples: "report cases --community Runners", "report cases --kind post --json")
    static let columns = [
        TableColumn("subject", "subject", .subject), TableColumn("reports", "reportsCount", .whole),
        TableColumn("latest", "lastReportedAt", .time), TableColumn("status", "status"),
        TableColumn("by", "user"), TableColumn("in", "community", isDispensable: true),
        TableColumn("claimed", "claimedBy"), TableColumn("reasons", "reasons"), TableColumn("excerpt", "excerpt"),
    ]
}

struct ReportShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a report.", examples: "report show 244120833662976")

    @Argument(help: "Id of the report.")
    var report: String

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let record = try await server.get("/v1/moderation/reports/\(try SubjectInput.id(report, of: .report))")
        show(record) { RecordRendering.lines(record, on: $0) }
    }
}

enum ClaimReport: OrderKind {
    static let description = OrderDescription(
        .claimReport, "claim", "Claim reports, so that nobody else works on them.",
        "report claim 244120833662976", usualReason: "claimed")
}

enum ReleaseReport: OrderKind {
    static let description = OrderDescription(
        .releaseReport, "release", "Release claimed reports.", "report release 244120833662976",
        usualReason: "released")
}

/// Files a report as a user.
struct ReportFileCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "file", "File a report.",
        examples: "report file post:244120806002688 --reason Spam", "report file user:cyd --reason Insults")

    @Argument(help: "Reported item: post:ID, comment:ID, user:NAME or community:NAME.")
    var subject: String

    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if order.reason == nil {
            throw ValidationError("A reason is required: --reason TEXT")
        }
    }

    func run(on server: ModerationServer) async throws {
        let parts = subject.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = ModerationSubjectName(rawValue: parts[0]),
            ReportList.Kind(rawValue: kind.rawValue) != nil
        else {
            throw ModerationFailure(
                .badData, "The reported item must be post:ID, comment:ID, user:NAME or community:NAME.")
        }
        let ids = try await server.ids([parts[1]], of: kind)
        let body = JSONValue.members(
            (kind.member, ids.first.map { .string($0) }), ("reason", order.reason.map { .string($0) }),
            ("note", order.note.map { .string($0) }))
        let change = PlannedChange(
            method: "POST", path: "/v1/reports", body: body, sentence: "Report \(subject): \(order.reason ?? "")")
        try await carryOut(change, on: server, isDryRun: order.dryRun)
    }
}
