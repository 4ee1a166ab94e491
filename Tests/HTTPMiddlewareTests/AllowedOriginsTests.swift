import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite(.timeLimit(.unit))
struct AllowedOriginsTests {
    private static let accepted: [(String, Set<String>)] = [
        ("https://app.example.org", ["https://app.example.org"]),
        ("https://app.example.org, http://localhost:5173", ["https://app.example.org", "http://localhost:5173"]),
        ("HTTPS://App.Example.org:443", ["https://app.example.org"]),
        ("http://app.example.org:80", ["http://app.example.org"]),
        ("https://app.example.org:80", ["https://app.example.org:80"]),
        ("http://[::1]:5173,http://[2001:db8::1]", ["http://[::1]:5173", "http://[2001:db8::1]"]),
        ("capacitor://localhost", ["capacitor://localhost"]),
    ]

    @Test(arguments: accepted)
    func `origins are read as browsers write them`(text: String, origins: Set<String>) {
        #expect(AllowedOrigins(text) == .listed(origins))
    }

    @Test(arguments: [
        "", ",", "null", "app.example.org", "https://", "https://app.example.org/", "https://app.example.org/path",
        "https://user@app.example.org", "https://*.example.org", "https://app.example.org:", "https://a:0",
        "https://a:70000", "https://a:+80", "https:a", "//a", "1://a", "https://a,", "https://a b", "*,https://a",
        "https://[::1", "https://[]", "https://[::1]x", "https://a\r\nX: y", "https://ä.example",
    ])
    func `anything else is refused`(text: String) {
        #expect(AllowedOrigins(text) == nil)
    }

    @Test func `a star allows every origin`() {
        #expect(AllowedOrigins("*") == .any)
        #expect(AllowedOrigins.any.answer(to: "null") == "*")
    }
}
