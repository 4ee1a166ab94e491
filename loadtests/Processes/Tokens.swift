import Foundation

/// Tokens of many users. Each needs a separate process, so two are made at a time.
enum Tokens {
    private static let concurrency = 2

    /// Returns tokens in the order of `usernames`.
    static func make(_ usernames: [String], graphd: String, directory: String) async throws -> [String] {
        Progress.say("making \(usernames.count) tokens")
        var tokens = Array(repeating: "", count: usernames.count)
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (index, username) in usernames.enumerated() {
                if index >= concurrency, let (done, token) = try await group.next() { tokens[done] = token }
                group.addTask {
                    let output = try Program.run(graphd, ["token", username, "--data-dir", directory])
                    return (index, output.trimmingCharacters(in: .whitespacesAndNewlines))
                }
            }
            for try await (index, token) in group { tokens[index] = token }
        }
        return tokens
    }

    /// Returns tokens by username.
    static func byName(_ usernames: [String], graphd: String, directory: String) async throws -> [String: String] {
        let names = Set(usernames).sorted()
        return Dictionary(
            uniqueKeysWithValues: zip(names, try await make(names, graphd: graphd, directory: directory)))
    }
}
