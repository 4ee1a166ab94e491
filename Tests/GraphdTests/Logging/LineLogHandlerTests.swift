import Foundation
import Logging
import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.unit))
struct LineLogHandlerTests {
    private func line(_ format: LogFormat, _ write: (Logger) -> Void) throws -> String {
        let sink = RecordingSink()
        var logger = Logger(label: "graphd.test") {
            LineLogHandler(label: $0, level: .info, format: format, sink: sink)
        }
        logger[metadataKey: "outer"] = "o"
        write(logger)
        let lines = sink.lines
        #expect(lines.count == 1)
        return try #require(lines.first)
    }

    @Test func `a JSON line is one object with flat metadata`() throws {
        let line = try line(.json) { logger in
            logger.warning(
                "said \"so\"\n",
                metadata: [
                    "number": .stringConvertible(7), "share": .stringConvertible(0.5), "text": "a\u{1B}b",
                    "nested": ["inner": ["deep": "x"]], "list": ["p", "q"], "level": "mine",
                ])
        }
        #expect(line.last == "\n")
        #expect(!line.dropLast().contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["level"] as? String == "warning")
        #expect(object["label"] as? String == "graphd.test")
        #expect(object["message"] as? String == "said \"so\"\n")
        #expect(object["outer"] as? String == "o")
        #expect(object["number"] as? Int == 7)
        #expect(object["share"] as? Double == 0.5)
        #expect(object["text"] as? String == "a\u{1B}b")
        #expect(object["nested.inner.deep"] as? String == "x")
        #expect(object["list"] as? [String] == ["p", "q"])
        #expect(object["metadata.level"] as? String == "mine")
        #expect((object["ts"] as? String)?.count == 24)
    }

    @Test func `a text line cannot be forged`() throws {
        let line = try line(.text) { $0.info("ok", metadata: ["name": "a\nINFO fake \u{1B}[2J"]) }
        #expect(line.hasSuffix("Z INFO graphd.test: ok name=\"a\\nINFO fake \\u{1B}[2J\" outer=o\n"))
    }

    @Test func `levels below the limit are not written`() {
        let sink = RecordingSink()
        let logger = Logger(label: "t") { LineLogHandler(label: $0, level: .error, format: .json, sink: sink) }
        logger.warning("no")
        #expect(sink.lines.isEmpty)
    }
}
