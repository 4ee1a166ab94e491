import HTTPTypes
import TestSupport
import Testing

@testable import GraphHTTP

@Suite(.timeLimit(.unit))
struct FileValidatorsTests {
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
