import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import ModerationCommands
@testable import StrictJSON

/// Texts as the terminal displays them.
@Suite(.timeLimit(.unit))
struct ModerationTerminalTests {
    private static let evil = "a\u{1B}[2J\u{9B}31m\u{202E}b\u{7F}\tc\nd\u{2028}e\u{E0041}"
    private static let columns = [
        TableColumn("post", "subject", .subject), TableColumn("at", "at", .time), TableColumn("by", "user|author"),
        TableColumn("text", "text"), TableColumn("nothing", "nothing"),
    ]
    private static let item = JSONValue.members(
        ("subject", .members(("postId", .string("17")))), ("at", .string("2026-11-21T19:30:06.153Z")),
        ("author", .members(("userId", .string("3")), ("username", .string("ada\u{1B}]0;x\u{7}")))),
        ("text", .string(evil)))

    @Test(arguments: [nil, 80, 30])
    func `nothing that users write reaches it as an order`(width: Int?) throws {
        let channel = OutputChannel(columns: width, hasColours: false)
        let record = JSONValue.members(("text", .string(Self.evil)), ("list", .array([Self.item])), (Self.evil, .null))
        let texts =
            TableRendering.lines(Self.columns, [Self.item], on: channel) + RecordRendering.lines(record, on: channel)
            + [record.terminalText]
        for text in texts {
            let orders = text.unicodeScalars.filter { TerminalText.isUnsafe($0) && $0 != "\t" }
            #expect(orders.isEmpty, "\(orders.map(\.value)) in \(text)")
        }
        #expect(try JSONReader.read(Array(record.terminalText.utf8.map { $0 })) == record)
    }

    @Test
    func `rows are tables on a terminal, and cells with tabs between them elsewhere`() {
        let item = Self.item.setting("text", to: .string("hello"))
            .setting("author", to: .members(("username", .string("ada"))))
        #expect(
            TableRendering.lines(Self.columns, [item], on: .plain)
                == ["post:17\t2026-11-21T19:30:06.153Z\tada\thello\t"])
        let terminal = OutputChannel(columns: 80, hasColours: false)
        #expect(
            TableRendering.lines(Self.columns, [item], on: terminal)
                == ["POST     AT                BY   TEXT", "post:17  2026-11-21 19:30  ada  hello"])
        let long = item.setting("text", to: .string(String(repeating: "日本", count: 60)))
        for line in TableRendering.lines(Self.columns, [long, item], on: terminal) {
            #expect(TerminalText.width(line) <= 80, "\(line)")
        }
    }

    @Test
    func `colours are for terminals that have them and people who want them`() {
        #expect(OutputChannel.hasColours(["TERM": "xterm"]))
        #expect(OutputChannel.hasColours(["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!OutputChannel.hasColours(["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(!OutputChannel.hasColours(["TERM": "dumb"]))
        let lines = TableRendering.lines(Self.columns, [Self.item], on: OutputChannel(columns: 80, hasColours: true))
        #expect(lines[0].hasPrefix("\u{1B}[1m"))
    }

    @Test
    func `a queue that is watched marks what is new, and elsewhere prints that alone`() {
        func report(_ id: String) -> JSONValue { .members(("reportId", .string(id))) }
        let columns = [TableColumn("report", "reportId")]
        var screen = QueueWatch(columns: columns, isJSON: false, channel: OutputChannel(columns: 80, hasColours: false))
        var pipe = QueueWatch(columns: columns, isJSON: false, channel: .plain)
        var (shown, printed) = ([String](), [String]())
        for items in [[report("1")], [report("2"), report("1")], [report("1"), report("2")]] {
            screen.show(items, hasMore: false) { shown.append($0) }
            pipe.show(items, hasMore: false) { printed.append($0) }
        }
        #expect(printed == ["1", "2"])
        #expect(shown.map { $0.contains("* ") } == [false, true, false])
        #expect(shown[1].hasSuffix("  REPORT\n* 2\n  1"), "\(shown[1])")
    }

    @Test(arguments: [OutputChannel.plain, OutputChannel(columns: 80, hasColours: false)])
    func `a dry run says "would change", on a terminal and in a pipe, and so says the JSON`(channel: OutputChannel) {
        let answer = JSONValue.members(
            ("action", .string("removePost")),
            (
                "results",
                .array(
                    [("1", true), ("2", false)].map { id, isChanged in
                        .members(("subject", .members(("postId", .string(id)))), ("changed", .bool(isChanged)))
                    })
            ))
        for isDryRun in [true, false] {
            var report = OrderReport(isDryRun: isDryRun)
            report.add(answer)
            let lines = report.lines(on: channel)
            #expect(lines.contains { $0.contains("post:1") && $0.contains("would change") } == isDryRun, "\(lines)")
            #expect(lines.contains { $0.contains("post:2") && $0.contains("unchanged") }, "\(lines)")
            #expect(report.json.member("dryRun") == .bool(isDryRun))
        }
    }

    @Test
    func `whoever is asked can say no, and where nobody is to be asked it goes ahead`() throws {
        for (answer, goesOn) in [("y", true), (" Yes\r", true), ("", false), ("n", false), ("yeah", false)] {
            let confirmation = Confirmation { question in
                #expect(question == "ban \u{FFFD}[2J\nGo on? [y/N] ")
                return answer
            }
            let isRefused = (try? confirmation.require("ban \u{1B}[2J")) == nil
            #expect(isRefused != goesOn, "\(answer)")
        }
        try Confirmation { _ in nil }.require("ban")
    }
}
