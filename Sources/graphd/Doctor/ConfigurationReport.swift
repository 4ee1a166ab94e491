import CommandSupport
import GraphAPI
import GraphServices
import Mail
import StrictJSON

/// The settings that a server would have, and the reasons for which it would not start with them.
struct ConfigurationReport {
    struct Entry {
        let setting: Setting
        /// Nil if the setting is not set, or its value must not be shown.
        let value: String?
        /// Nil for the default.
        let origin: SettingSources.Origin?

        var isHidden: Bool { origin != nil && setting.isSecret }
    }

    /// The path of the configuration file; nil if there is none.
    let file: String?
    private(set) var entries: [Entry] = []
    private(set) var problems: [String] = []

    private static let columns = [
        TableColumn("setting", "setting", .whole), TableColumn("value", "value"), TableColumn("source", "source"),
    ]

    /// Reads the settings and the files that they name. Nothing is started or written.
    init(_ sources: SettingSources) async throws {
        file = sources.file
        for setting in Setting.allCases {
            let found = try sources.text(of: setting)
            entries.append(
                Entry(
                    setting: setting, value: setting.isSecret ? nil : found?.text ?? setting.standard,
                    origin: found?.origin))
        }
        let configuration: ServerConfiguration
        do {
            configuration = try ServerConfiguration.load(sources)
        } catch let error as ConfigurationError {
            problems.append(error.description)
            return
        }
        await note { if let files = configuration.certificate { _ = try ServerCertificate(files) } }
        await note { if let file = configuration.fcmServiceAccount { _ = try await ServiceAccount(file: file) } }
        await note {
            if case .file(let path)? = configuration.oidcProvider?.keys {
                _ = try await KeyFetching.fetch(.file(path))()
            }
        }
        await note { if case .smtp? = configuration.mail?.destination { _ = try MailConfiguration.curl() } }
    }

    private mutating func note(_ check: () async throws -> Void) async {
        do {
            try await check()
        } catch {
            problems.append("\(error)")
        }
    }

    /// One JSON object.
    var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 4_096)
        json.beginObject()
        json.member("valid", problems.isEmpty)
        json.member("file", file)
        json.member("problems", problems)
        json.member("settings", raw: list)
        json.endObject()
        return json.bytes
    }

    /// The settings as a table.
    func lines(on channel: OutputChannel) throws -> [String] {
        let items = try JSONReader.read(list).arrayValue ?? []
        let shown = items.map { item in
            item.isHidden ? item.setting("value", to: .string("(hidden)")) : item
        }
        return TableRendering.lines(Self.columns, shown, on: channel)
    }

    private var list: [UInt8] {
        var json = JSONWriter(reservingCapacity: 4_096)
        json.beginArray()
        for entry in entries {
            json.beginObject()
            json.member("setting", entry.setting.rawValue)
            json.member("value", entry.value)
            json.member("hidden", entry.isHidden)
            json.member("source", entry.origin?.rawValue ?? "default")
            json.endObject()
        }
        json.endArray()
        return json.bytes
    }
}

extension JSONValue {
    fileprivate var isHidden: Bool { member("hidden")?.isTrue ?? false }
}
