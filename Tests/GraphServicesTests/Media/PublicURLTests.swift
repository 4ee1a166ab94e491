import Database
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct PublicURLTests {
    @Test func `paths become URLs of the server`() {
        let urls = PublicURL(configured: nil)
        urls.serve(host: "127.0.0.1", port: 8080)
        #expect(urls.absolute("/media/1.mp4") == "http://127.0.0.1:8080/media/1.mp4")
        #expect(urls.absolute("https://a.example/1.mp4") == "https://a.example/1.mp4")
        #expect(urls.absolute("") == "")
        urls.serve(host: "::1", port: 1)
        #expect(urls.absolute("/media/1.mp4") == "http://[::1]:1/media/1.mp4")
        urls.serve(host: "::1", port: 443, encrypted: true)
        #expect(urls.absolute("/media/1.mp4") == "https://[::1]:443/media/1.mp4")
        let configured = PublicURL(configured: "https://a.example/b")
        configured.serve(host: "127.0.0.1", port: 8080)
        #expect(configured.absolute("/media/1.mp4") == "https://a.example/b/media/1.mp4")
    }

    @Test func `files that everybody may see have a base URL of their own`() {
        let urls = PublicURL(configured: "https://a.example", files: "https://cdn.example/m")
        #expect(urls.shared("/media/1.mp4") == "https://cdn.example/m/1.mp4")
        #expect(urls.shared("https://b.example/1.mp4") == "https://b.example/1.mp4")
        #expect(urls.absolute("/media/1.mp4") == "https://a.example/media/1.mp4")
        #expect(PublicURL(configured: "https://a.example").shared("/media/1.mp4") == "https://a.example/media/1.mp4")
        for (url, id) in [
            ("https://cdn.example/m/7.mp4", 7), ("https://cdn.example/m/7.mp4?x#y", 7), ("/media/7", 7),
            ("https://a.example/media/7.mp4", 7), ("https://cdn.example/m7.mp4", nil), ("https://cdn.example/m/", nil),
            ("https://cdn.example/m/media/7.mp4", nil), ("https://cdn.example/7.mp4", nil),
        ] as [(String, Int64?)] {
            #expect(urls.media(at: url) == id.map(MediaID.init(rawValue:)), "\(url)")
        }
        let both = PublicURL(configured: "https://a.example", files: "https://a.example/media/files")
        #expect(both.media(at: "https://a.example/media/files/7.mp4") == MediaID(rawValue: 7))
    }

    @Test(arguments: [
        ("https://a.example/media/7.mp4", 7), ("https://a.example/media/7", 7),
        ("https://a.example/media/7.mp4?x=1#y", 7),
        ("/media/7.mp4", 7), ("https://b.example/media/7.mp4", nil), ("https://a.example/media/", nil),
        ("https://a.example/media/x.mp4", nil), ("https://a.example/v1/7", nil), ("", nil), ("/media/../7", nil),
    ])
    func `URLs of the server name their file`(_ url: String, _ id: Int64?) {
        #expect(PublicURL(configured: "https://a.example").media(at: url) == id.map(MediaID.init(rawValue:)))
    }
}
