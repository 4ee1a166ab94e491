import Synchronization
import TestSupport
import Testing

@testable import CommandSupport

@Suite(.timeLimit(.unit))
struct OutputRenderingTests {
    private static let fields: [CommandOutput.Field] = [
        .init("windows", "windows", .integer(1_234)), .init("bytesPerEntry", "bytes per entry", .decimal(21.449)),
        .init("name", "name", .text("a \"b\"")), .init("none", "none", .null),
    ]

    @Test
    func `a record as one JSON object`() {
        #expect(
            OutputRendering.render(CommandOutput(Self.fields), json: true)
                == #"{"windows":1234,"bytesPerEntry":21.4,"name":"a \"b\"","none":null}"#)
    }

    @Test
    func `a record as a table`() {
        #expect(
            OutputRendering.render(CommandOutput(Self.fields), json: false) == """
                windows           1234
                bytes per entry   21.4
                name             a "b"
                none                 -
                """)
    }

    @Test
    func `a second record stands beside the first`() {
        let output = CommandOutput(
            [.init("missing", "missing", .integer(12))],
            sequel: .init(
                key: "afterRepair", fields: [.init("missing", "missing", .integer(0))],
                headings: ("found", "after repair")))
        #expect(OutputRendering.render(output, json: true) == #"{"missing":12,"afterRepair":{"missing":0}}"#)
        #expect(
            OutputRendering.render(output, json: false) == """
                         found  after repair
                missing     12             0
                """)
    }

    @Test(
        arguments: [
            (0, 1_000_000, 0, "x  [>                             ]    0 %  0 kB  0 kB/s"),
            (500_000, 1_000_000, 2, "x  [===============>              ]   50 %  500 kB  250 kB/s  2 s left"),
            (1_000_000, 1_000_000, 4, "x  [==============================]  100 %  1.0 MB  250 kB/s"),
            (2_000_000_000, nil, 1, "x  2.00 GB  2.00 GB/s"),
        ] as [(Int, Int?, Int, String)])
    func `progress shows share, rate and time left`(done: Int, total: Int?, seconds: Int, expected: String) {
        let line = ProgressBar.line(label: "x", unit: .bytes, done: done, total: total, elapsed: .seconds(seconds))
        #expect(line == expected)
    }

    @Test
    func `a bar that is not shown writes nothing, and one that is draws no more than is due`() {
        for isShown in [true, false] {
            let written = Mutex<[String]>([])
            var bar = ProgressBar(label: "x", unit: .bytes, total: 10, isShown: isShown) { text in
                written.withLock { $0.append(text) }
            }
            bar.update(done: 1)
            bar.update(done: 2)
            bar.finish()
            bar.finish()
            let count = written.withLock { $0.count }
            #expect(isShown ? (2...3).contains(count) : count == 0)
        }
    }
}
