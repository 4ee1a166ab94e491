import Database
import SocialGraph
import TestSupport
import Testing

@testable import Backup

@Suite(.timeLimit(.unit))
struct BackupLayoutTests {
    @Test(arguments: [
        "../graph.db", "/etc/passwd", "graph.db/", "./graph.db", "media", "media/", "media/00", "media/00/",
        "media/00/..", "media/00/../../token.key", "media/../media/00/1.mp4", "media/00//1.mp4", "media/0/1.mp4",
        "media/ff/1.mp4",
        "media/00/01.mp4", "media/00/1.mp4.", "media/00/1.MP4", "media/00/1.m p", "media/00/1.mp4\0", "media/00/x.mp4",
        "media/00/1.a/b", "media/00/-1.mp4", "token.key2", "serve.lock", "manifest.json", "files.jsonl", "",
    ])
    func `no other path than those of a backup is accepted`(path: String) {
        #expect(BackupLayout.kind(of: path) == nil)
    }

    @Test func `paths of a backup have their kind`() {
        #expect(BackupLayout.kind(of: "graph.db") == .database)
        #expect(BackupLayout.kind(of: "graph.dump") == .dump)
        #expect(BackupLayout.kind(of: "token.key") == .key)
        #expect(BackupLayout.kind(of: "token.keys") == .key)
        #expect(BackupLayout.kind(of: "media/00/1.mp4") == .media(MediaID(rawValue: 1)))
        let id = MediaID(rawValue: 0xAB << 12 | 5)
        let path = BackupLayout.path(of: id, named: "\(id.rawValue)")
        #expect(path.hasPrefix("media/ab/") && BackupLayout.kind(of: path) == .media(id))
    }
}
