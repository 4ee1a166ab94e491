import Backup
import Foundation
import RedisClient
import SocialGraph
import Timeline

extension InputParser {
    /// Parsers of the lines of files that operators import.
    static let imports: [InputParser] = [
        InputParser(
            "follows", limit: LineReader.lineLimit, corpus: ["ann bob", "follower,followee", "17,18", "# note"],
            frames: [("", ""), ("\"", "\""), ("ann,", "")]
        ) { bytes in
            try bytes.withUnsafeBufferPointer { line in
                var parser = FollowLineParser()
                _ = try parser.parse(line, isWhole: true)
                var columns = FollowLineParser()
                _ = try Array("follower,followee".utf8).withUnsafeBufferPointer {
                    try columns.parse($0, isWhole: true)
                }
                _ = try columns.parse(line, isWhole: true)
            }
        },
        InputParser(
            "csv", limit: CSVReader.recordLimit, corpus: ["a,\"b, c\",\"d\"\"e\"", "x,,\"\""],
            frames: [("", ""), ("\"", "\""), ("a,", ",b")]
        ) { bytes in
            var splitter = CSVFieldSplitter()
            for byte in bytes { try splitter.consume(byte) }
            let fields = try splitter.finish()
            let quote = UInt8(ascii: "\"")
            let written = fields.map { [quote] + $0.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote] }
            guard String(validating: bytes, as: UTF8.self) != nil else { return }
            var again = CSVFieldSplitter()
            for byte in written.joined(separator: [UInt8(ascii: ",")]) { try again.consume(byte) }
            try InputFault.require(try again.finish() == fields, "a record is not read back")
        },
        safeText("creation-date", limit: 65_536, corpus: ["1511082000", "13.09", "2017-09-13T00:00:00Z"]) { text in
            for format in CreationFormat.allCases {
                _ = try? CreationDate(format: format, year: 2017).milliseconds(text)
            }
        },
    ]

    /// Parsers of the description of a backup, which may have been changed.
    static let backups: [InputParser] = [
        InputParser(
            "backup-manifest", limit: BackupManifest.limit,
            corpus: [
                """
                {"format":1,"version":"0.2.0","commit":"abc","schema":"0.1.0","instant":"2026-11-25T00:00:00.000Z",\
                "lastChange":1,"lastId":2,"files":3,"bytes":4,"media":1,"missing":0,"timelines":9,"list":\
                {"path":"files.jsonl","bytes":5,"sha256":"\(String(repeating: "a", count: 64))"}}
                """,
                """
                {"format":2,"version":"0.2.0","commit":"abc","schema":"0.1.0","instant":"2026-11-25T00:00:00.000Z",\
                "lastChange":1,"lastId":2,"files":3,"bytes":4,"media":1,"missing":0,"timelines":9,"database":\
                {"engine":"postgresql","version":150014,"schema":"public"},"list":\
                {"path":"files.jsonl","bytes":5,"sha256":"\(String(repeating: "a", count: 64))"}}
                """,
            ], frames: [("", ""), ("{\"format\":1,\"version\":\"", "\"}")]
        ) { bytes in
            let manifest = try BackupManifest(encoded: bytes)
            try InputFault.require(
                try BackupManifest(encoded: manifest.encoded) == manifest, "a manifest is not read back")
        },
        InputParser(
            "backup-entry", limit: BackupEntry.lineLimit,
            corpus: [
                "{\"path\":\"media/00/1.mp4\",\"bytes\":4,\"sha256\":\"\(String(repeating: "0", count: 64))\"}"
            ], frames: [("", ""), ("{\"path\":\"", "\",\"bytes\":1,\"sha256\":\"\"}")]
        ) { bytes in
            let entry = try BackupEntry(line: bytes)
            try InputFault.require(
                try BackupEntry(line: Array(entry.line.dropLast())) == entry, "a line is not read back")
            try InputFault.require(
                !entry.path.hasPrefix("/") && !entry.path.contains(".."), "a path leads out of the backup")
        },
    ]

    /// Parsers of data that peers of the server send.
    static let connections: [InputParser] = [
        InputParser(
            "redis", limit: 262_144,
            corpus: ["*3\r\n$3\r\nfoo\r\n:17\r\n$-1\r\n", "-ERR no\r\n", "+OK\r\n", "*2\r\n*1\r\n:1\r\n$0\r\n\r\n"],
            frames: [("", ""), ("*", "\r\n"), ("$", "\r\n"), ("*2\r\n", "")]
        ) { _ = RedisReplyTrial.read($0) },
        safeText(
            "redis-url", limit: 4_096,
            corpus: [
                "redis://user:pw@host:6379/0", "rediss://[::1]:1", "/run/redis.sock", "unix:///a",
                "redis-cluster://user:pw@a:1,b,[::1]:2",
            ]
        ) { _ = try WindowServers(parsing: $0) },
    ]
}
