import ArgumentParser
import CommandSupport
import Database
import GraphAPI
import GraphServices
import Sessions
import SocialGraph
import StrictJSON

struct KeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys that sign and verify tokens, the signing one first.",
        discussion: """
            The id is the `kid` in the header of a token. The keys themselves are not shown.

            Example:
              graphd key list --json

            Exit status: 0, 1 failure, 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    private static let columns = [
        TableColumn("key", "keyId", .whole), TableColumn("state", "state"),
        TableColumn("retired", "retiredAt", .time), TableColumn("verifies until", "verifiesUntil", .time),
    ]

    func run() async throws {
        let directory = try directory.existing()
        let place = try await directory.tokenKeys(of: try directory.openGraph())
        let ring = try await place.ring()
        let now = SystemClock.milliseconds()
        let lines = try Self.lines(ring, now: now, json: json, on: .standard())
        for line in lines { print(line) }
    }

    static func lines(_ ring: TokenKeyRing, now: Int64, json: Bool, on channel: OutputChannel) throws -> [String] {
        let objects =
            [object(ring.signing.id, "signs")]
            + ring.retired.map { entry in
                object(entry.key.id, now < entry.verifiesUntil ? "verifies" : "expired", entry)
            }
        if json { return objects.map { String(decoding: $0, as: UTF8.self) } }
        return TableRendering.lines(columns, try objects.map { try JSONReader.read($0) }, on: channel)
    }

    private static func object(_ id: String, _ state: String, _ retired: TokenKeyRing.Retired? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("keyId", id)
        json.member("state", state)
        json.key("retiredAt")
        if let retired { json.timestamp(milliseconds: retired.retiredAt) } else { json.null() }
        json.key("verifiesUntil")
        if let retired { json.timestamp(milliseconds: retired.verifiesUntil) } else { json.null() }
        json.endObject()
        return json.bytes
    }
}
