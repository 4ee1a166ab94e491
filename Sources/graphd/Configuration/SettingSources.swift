import Configuration
import Foundation
import SocialGraph
import StrictJSON

/// A setting that cannot be used. The text names the setting, says where its value came from and what would be right.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    let description: String
}

/// The places that settings come from, first match wins: command line, environment, file.
struct SettingSources {
    static let fileVariable = "GRAPHD_CONFIG"

    private struct Source {
        let provider: any ConfigProvider
        /// How to name a setting as it was written there.
        let name: @Sendable (Setting) -> String
    }

    private let sources: [Source]

    /// - Throws: `ConfigurationError` for a file that is missing, malformed or has keys that are no settings.
    init(commandLine: [Setting: String], environment: [String: String], file: String?) throws {
        // A variable that is set to nothing is how containers and service files leave one out.
        let environment = environment.filter { !$0.value.isEmpty }
        var sources = [
            Source(
                provider: InMemoryProvider(name: "command line", values: Self.values(commandLine)),
                name: { $0.flag + " on the command line" }),
            Source(
                provider: EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "graphd"),
                name: { $0.environmentVariable + " in the environment" }),
        ]
        if let path = file ?? environment[Self.fileVariable] {
            let values = try Self.values(ofFile: path)
            sources.append(
                Source(
                    provider: InMemoryProvider(name: path, values: Self.values(values)),
                    name: { "\"\($0.rawValue)\" in \(path)" }))
        }
        self.sources = sources
    }

    /// Overwrites `target` with the setting's value if any source has one.
    ///
    /// - Parameters:
    ///   - expected: what would be right, for the message.
    ///   - convert: nil for a value that is not acceptable.
    /// - Throws: `ConfigurationError`.
    func read<Value>(
        _ setting: Setting, _ expected: String, into target: inout Value, convert: (String) -> Value?
    ) throws {
        let key = AbsoluteConfigKey([setting.rawValue])
        for source in sources {
            guard case .string(let text)? = try source.provider.value(forKey: key, type: .string).value?.content else {
                continue
            }
            guard !text.isEmpty, let value = convert(text) else {
                // A Redis address may hold a password.
                let came = setting == .redis ? "" : "; \"\(text.echoed)\" came"
                throw ConfigurationError(description: "\(source.name(setting)) must be \(expected)\(came)")
            }
            target = value
            return
        }
    }

    private static func values(_ texts: [Setting: String]) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (setting, text) in texts {
            values[AbsoluteConfigKey([setting.rawValue])] = ConfigValue(.string(text), isSecret: setting == .redis)
        }
        return values
    }

    /// Reads a JSON object of settings. It is read by our own reader, since an unknown key, a key given twice or a
    /// value of the wrong type must not pass unseen.
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
                    description: "\"\(member.name.echoed)\" in \(path) is not a setting; known are \(known)")
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
