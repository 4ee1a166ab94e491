import HTTPTypes
import TestSupport
import Testing

@testable import GraphHTTP

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

    @Test func `dates are written as HTTP writes them`() {
        let validators = FileValidators(sha256: [0, 0xAB], modified: 1_795_226_645_123)
        #expect(validators.lastModified == "Sat, 21 Nov 2026 02:04:05 GMT")
        #expect(validators.entityTag == "\"00ab\"")
        #expect(FileValidators(sha256: [], modified: 0).lastModified == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(FileValidators(sha256: [], modified: 951_782_400_000).lastModified == "Tue, 29 Feb 2000 00:00:00 GMT")
    }

    @Test func `conditions are judged`() {
        let validators = FileValidators(sha256: [1], modified: 0)
        let date = validators.lastModified
        let matches: [(HTTPFields, Bool)] = [
            ([:], false), ([.ifNoneMatch: "\"01\""], true), ([.ifNoneMatch: "W/\"01\""], true),
            ([.ifNoneMatch: "*"], true),
            ([.ifNoneMatch: "\"02\", \"01\""], true), ([.ifNoneMatch: "\"02\""], false), ([.ifNoneMatch: "01"], false),
            ([.ifModifiedSince: date], true), ([.ifModifiedSince: "Thu, 01 Jan 1970 00:00:01 GMT"], false),
            // A date counts only without tags.
            ([.ifNoneMatch: "\"02\"", .ifModifiedSince: date], false),
        ]
        for (headers, isMatch) in matches { #expect(validators.match(headers) == isMatch, "\(headers)") }
        let conditions: [(String, Bool)] = [
            ("\"01\"", true), (date, true), ("W/\"01\"", false), ("\"02\"", false),
            ("Thu, 01 Jan 1970 00:00:01 GMT", false),
        ]
        for (condition, isAllowed) in conditions {
            #expect(validators.allowRange([.ifRange: condition]) == isAllowed, "\(condition)")
        }
        #expect(validators.allowRange([:]))
    }
}
