import Configuration
import Foundation
import SocialGraph
import StrictJSON
import Text

/// A setting that cannot be used. The text names the setting, the source of its value, and an acceptable value.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    let description: String
}

/// The sources of settings, first match wins: command line, environment, file.
struct SettingSources {
    static let fileVariable = "GRAPHD_CONFIG"

    /// A kind of source.
    enum Origin: String, Sendable {
        case flag, environment, file
    }

    private struct Source {
        let origin: Origin
        let provider: any ConfigProvider
        /// The name of a setting in that source.
        let name: @Sendable (Setting) -> String
    }

    private let sources: [Source]
    /// The path of the configuration file; nil if there is none.
    let file: String?
    /// The environment of the process, which also has credentials that are no settings.
    let environment: [String: String]

    /// - Throws: `ConfigurationError` for a file that is missing, malformed or has unknown keys.
    init(commandLine: [Setting: String], environment: [String: String], file: String?) throws {
        // Containers and service files leave out a variable by setting it to nothing.
        let environment = environment.filter { !$0.value.isEmpty }
        self.environment = environment
        var sources = [
            Source(
                origin: .flag,
                provider: InMemoryProvider(name: "command line", values: Self.values(commandLine)),
                name: { $0.flag + " on the command line" }),
            Source(
                origin: .environment,
                provider: EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "graphd"),
                name: { $0.environmentVariable + " in the environment" }),
        ]
        self.file = file ?? environment[Self.fileVariable]
        if let path = self.file {
            let values = try Self.values(ofFile: path)
            sources.append(
                Source(
                    origin: .file,
                    provider: InMemoryProvider(name: path, values: Self.values(values)),
                    name: { "\"\($0.rawValue)\" in \(path)" }))
        }
        self.sources = sources
    }

    /// Overwrites `target` with the setting's value if any source has one.
    ///
    /// - Parameters:
    ///   - expected: an acceptable value, for the message.
    ///   - convert: returns nil for an unacceptable value.
    /// - Throws: `ConfigurationError`.
    func read<Value>(
        _ setting: Setting, _ expected: String, into target: inout Value, convert: (String) -> Value?
    ) throws {
        guard let (text, source) = try first(setting) else { return }
        guard !text.isEmpty, let value = convert(text) else {
            let found = setting.isSecret ? "" : "; got \"\(text.echoed)\""
            throw ConfigurationError(description: "\(source.name(setting)) must be \(expected)\(found)")
        }
        target = value
    }

    /// Returns the text of a setting and its source; nil if no source has one.
    func text(of setting: Setting) throws -> (text: String, origin: Origin)? {
        try first(setting).map { ($0.text, $0.source.origin) }
    }

    private func first(_ setting: Setting) throws -> (text: String, source: Source)? {
        let key = AbsoluteConfigKey([setting.rawValue])
        for source in sources {
            if case .string(let text)? = try source.provider.value(forKey: key, type: .string).value?.content {
                return (text, source)
            }
        }
        return nil
    }

    private static func values(_ texts: [Setting: String]) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (setting, text) in texts {
            values[AbsoluteConfigKey([setting.rawValue])] = ConfigValue(.string(text), isSecret: setting.isSecret)
        }
        return values
    }

    /// Reads a JSON object of settings, with our own reader: an unknown key, a duplicate key or a value of the wrong
    /// type must be an error.
    private static func values(ofFile path: String) throws -> [Setting: String] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(description: "the configuration file \(path) cannot be read")
        }
        let value: JSONValue
        do {
            value = try JSONReader.read(Array(data))
        } catch let error as JSONError {
            throw ConfigurationError(description: "the configuration file \(path) is not usable: \(error.detail)")
        }
        guard case .object(let members) = value else {
            throw ConfigurationError(description: "the configuration file \(path) must hold one JSON object")
        }
        var values: [Setting: String] = [:]
        for member in members {
            guard let setting = Setting(rawValue: member.name) else {
                let known = Setting.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationError(
                    description: "\"\(member.name.echoed)\" in \(path) is not a setting; the settings are \(known)")
            }
            switch member.value {
            case .string(let text): values[setting] = text
            case .integer(let number): values[setting] = String(number)
            case .null: break
            default:
                throw ConfigurationError(
                    description: "\"\(member.name)\" in \(path) must be a string or a whole number")
            }
        }
        return values
    }
}
