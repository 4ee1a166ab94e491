import ArgumentParser
import CommandSupport
import Database
import GraphAPI
import SocialGraph
import StrictJSON

struct NodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes", abstract: "Show the servers of a graph.", subcommands: [NodesListCommand.self])
}

struct NodesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the nodes that serve a graph, and what each of them does.",
        discussion: """
            The command may run beside servers. A node is serving while its latest heartbeat is in force, and silent \
            while it has missed some; it is gone once it has stopped, or has been silent for a minute. A node that \
            has been gone for a day is no longer listed. Times of heartbeats are by the clock of the node. Its duties \
            are the leases that it holds, such as outbox (it delivers posts) and upkeep (it sends mail and pushes, \
            and erases accounts).

            Example:
              graphd nodes list
              graphd nodes list --json

            Exit status: 0, 1 failure, 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    private static let columns = [
        TableColumn("node", "nodeId", .whole), TableColumn("name", "name"), TableColumn("version", "version"),
        TableColumn("started", "startedAt", .time), TableColumn("heartbeat", "heartbeatAt", .time),
        TableColumn("state", "state"), TableColumn("duties", "duties"),
    ]

    func run() async throws {
        let graph = try directory.openExisting()
        let records = try await NodeStore(database: graph.database).records()
        for line in try Self.lines(records, now: SystemClock.milliseconds(), json: json, on: .standard()) {
            print(line)
        }
    }

    /// - Parameter now: milliseconds since 1970.
    static func lines(_ records: [NodeRecord], now: Int64, json: Bool, on channel: OutputChannel) throws -> [String] {
        if json { return records.map { String(decoding: object($0, now: now, inTable: false), as: UTF8.self) } }
        let objects = try records.map { try JSONReader.read(object($0, now: now, inTable: true)) }
        return TableRendering.lines(columns, objects, on: channel)
    }

    /// - Parameter inTable: true for duties as one text.
    private static func object(_ record: NodeRecord, now: Int64, inTable: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("nodeId", String(record.node.id))
        json.member("name", record.node.name)
        json.member("version", record.node.version)
        json.member("startedAt", time: record.node.startedAt)
        json.member("heartbeatAt", time: record.lastHeartbeat)
        json.member("state", record.state(at: now).rawValue)
        if inTable {
            json.member("duties", record.duties.joined(separator: " "))
        } else {
            json.member("duties", record.duties)
        }
        json.endObject()
        return json.bytes
    }
}
