import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

@Suite(.timeLimit(.unit))
struct QueryParametersTests {
    private func code(_ query: String?) -> ProblemCode? {
        do {
            var parameters = try QueryParameters(query)
            _ = try parameters.limit()
            _ = parameters.string("cursor")
            try parameters.end()
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }

    @Test func `values are decoded`() throws {
        var query = try QueryParameters("cursor=a%20b%2B+c%C3%A9=d&&limit=100")
        #expect(try query.limit() == 100)
        #expect(query.string("cursor") == "a b+ cé=d")
        try query.end()
        var none = try QueryParameters(nil)
        #expect(try none.limit() == 20)
    }

    @Test(arguments: ["limit=0", "limit=101", "limit=", "limit=x", "limit=+5", "limit=-1", "limit=1.0", "limit"])
    func `a limit out of range is refused`(_ query: String) {
        #expect(code(query) == .invalidLimit)
    }

    @Test(arguments: [
        ("page=2", ProblemCode.unknownParameter), ("limit=1&limit=1", .repeatedParameter),
        ("cursor=%zz", .invalidParameter), ("cursor=%", .invalidParameter), ("cursor=%+1", .invalidParameter),
        ("cursor=%FF", .invalidParameter), ("cursor=%00", .invalidParameter),
        (String(repeating: "a=1&", count: 33), .invalidParameter),
    ])
    func `malformed queries are refused`(_ query: String, _ expected: ProblemCode) {
        #expect(code(query) == expected)
    }
}
