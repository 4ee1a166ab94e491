import Foundation

/// Import of the real graph, against bare SQLite inserting the same edges in both orderings.
struct ImportRatio: RatioMeasurement {
    let keys: [RatioKey] = [.importVsSQLite]

    func measure(_ setting: RatioSetting) async throws -> [LoadReport.Comparison] {
        let directory = try Scratch.directory("import")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let follows = try InputFile.plain(
            setting.data + "/ego-twitter-follows.csv.gz", in: directory, as: "follows.csv")
        let edges = Double(try String(contentsOfFile: follows, encoding: .utf8).utf8.count { $0 == 0x0A } - 1)
        var figure = PairedFigure(.importVsSQLite)
        for run in 0..<setting.runs {
            let ours = try await Program.time {
                try Program.run(
                    setting.graphd, ["import", "follows", follows, "--data-dir", directory + "/data\(run)"])
            }.seconds
            let script = directory + "/bare\(run).sql"
            try BareSQLite.insert(follows: follows).write(toFile: script, atomically: false, encoding: .utf8)
            let bare = try await Program.time {
                try Program.run(Program.find("sqlite3"), [directory + "/bare\(run).db", ".read \(script)"])
            }.seconds
            figure.add(ours: edges / ours, theirs: edges / bare)
        }
        return [figure.comparison()]
    }
}
