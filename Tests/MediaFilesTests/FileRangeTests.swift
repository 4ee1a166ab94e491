import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles

@Suite(.timeLimit(.unit))
struct FileRangeTests {
    @Test(arguments: [
        (nil, FileRange.whole), ("", .whole), ("bytes", .whole), ("bytes=", .whole), ("bytes=-", .whole),
        ("bytes=0-0", .part(0...0)), ("bytes=0-9", .part(0...9)), ("bytes=0-10", .part(0...9)),
        ("BYTES=2-5", .part(2...5)), ("bytes=9-", .part(9...9)), ("bytes=0-", .part(0...9)), ("bytes=-1", .part(9...9)),
        ("bytes=-10", .part(0...9)), ("bytes=-99", .part(0...9)), ("bytes=10-", .unsatisfiable),
        ("bytes=10-12", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999", .part(0...9)),
        ("bytes=5-2", .whole), ("bytes=0-1,3-4", .whole), ("bytes=a-b", .whole), ("bytes=+1-2", .whole),
        ("bytes=1-2-3", .whole), ("items=0-1", .whole), ("bytes=0x1-2", .whole), ("bytes=1-2x", .whole),
        ("bytes= 1-2", .whole),
    ])
    func `a header names at most one range`(_ header: String?, _ range: FileRange) {
        #expect(FileRange(header, bytes: 10) == range)
    }
}
