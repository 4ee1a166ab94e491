import Foundation

/// Import of the real graph, compared with bare SQLite inserting the same edges in both orderings.
struct ImportRatio: RatioMeasurement {
    let keys: [RatioKey] = [.importVsSQLite]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let directory = try Scratch.directory("import")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (named, follows) = (directory + "/named.csv", directory + "/follows.csv")
        try setting.graphs.follows().write(to: named, scratch: directory)
        // Bare SQLite inserts numbers, which graphd accepts as well.
        try Program.run(Program.find("sh"), ["-c", "tr -d u < \"$0\" > \"$1\"", named, follows])
        let edges = try FollowGraph(csv: follows).follows
        var figure = PairedFigure(.importVsSQLite)
        for run in 1...setting.runs {
            let data = directory + "/data\(run)"
            let ours = try await Program.time {
                try Program.run(setting.graphd, ["import", "follows", follows, "--data-dir", data])
            }.seconds
            let script = directory + "/bare\(run).sql"
            try BareSQLite.insert(follows: follows).write(toFile: script, atomically: false, encoding: .utf8)
            let bare = try await Program.time {
                try Program.run(Program.find("sqlite3"), [directory + "/bare\(run).db", ".read \(script)"])
            }.seconds
            figure.add(ours: Double(edges) / ours, theirs: Double(edges) / bare)
        }
        return RatioFindings(
            comparisons: [figure.comparison(note: "\(edges) follows, users made with them")],
            verification: try await verification(setting, directory + "/data1"))
    }

    /// Returns the verification of a server over the imported data.
    private func verification(_ setting: RatioSetting, _ data: String) async throws -> Verification {
        let server = try await Server(graphd: setting.graphd, directory: data)
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        return try await server.verification()
    }
}
