import NIOCore
import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.unit))
struct ConnectionPatienceTests {
    private static let limits: ConnectionPatience.Limits = {
        var limits = ConnectionPatience.Limits()
        limits.header = .seconds(20)
        limits.pause = .seconds(30)
        limits.progress = 1_000
        limits.idle = .seconds(75)
        limits.drain = .seconds(15)
        limits.closing = .seconds(5)
        limits.check = .seconds(20)
        return limits
    }()

    /// A connection and the seconds of its life.
    private struct Scene {
        var patience = ConnectionPatience(ConnectionPatienceTests.limits, now: .uptimeNanoseconds(0))
        var now = NIODeadline.uptimeNanoseconds(0)
        var unsent = 0

        /// Lets time pass and asks again whenever the last verdict said so. Returns what ended the connection, and
        /// when.
        mutating func pass(_ seconds: Int64) -> (what: ConnectionPatience.Overdue, at: Int64)? {
            let end = now + .seconds(seconds)
            while true {
                switch patience.verdict(now: now, unsent: unsent) {
                case .close(let what): return (what, Int64(now.uptimeNanoseconds / 1_000_000_000))
                case .wait(let deadline):
                    #expect(deadline > now && deadline <= now + ConnectionPatienceTests.limits.check)
                    guard deadline <= end else {
                        now = end
                        return nil
                    }
                    now = deadline
                }
            }
        }

        mutating func receive(_ bytes: Int) {
            patience.receives(bytes, now: now)
            patience.reads(now: now)
        }

        mutating func request(bodyFollows: Bool = false) {
            receive(50)
            patience.beginsRequest(now: now)
            if !bodyFollows { patience.endsRequest(now: now) }
        }

        mutating func answer() {
            patience.beginsAnswer()
            patience.writes(100)
            patience.endsAnswer(now: now)
        }
    }

    @Test func `a connection that never begins a request ends after the header time`() {
        var scene = Scene()
        scene.patience.reads(now: scene.now)
        let end = scene.pass(1_000)
        #expect(end?.what == .header && end?.at == 20)
    }

    @Test func `a header that comes byte by byte is measured from its start`() {
        var scene = Scene()
        scene.request()
        scene.answer()
        #expect(scene.pass(50) == nil)
        scene.receive(1)
        for _ in 0..<19 {
            #expect(scene.pass(1) == nil)
            scene.receive(1)
        }
        let end = scene.pass(1_000)
        #expect(end?.what == .header && end?.at == 70)
    }

    @Test func `an idle connection ends after the idle time and each request begins it anew`() {
        var scene = Scene()
        for _ in 0..<5 {
            scene.request()
            scene.answer()
            #expect(scene.pass(74) == nil)
        }
        let end = scene.pass(1_000)
        #expect(end?.what == .idle && end?.at == 5 * 74 + 1)
    }

    @Test func `a connection of HTTP 2 without streams ends, whatever else it sends`() {
        var scene = Scene()
        scene.receive(200)
        scene.patience.multiplexes(now: scene.now)
        scene.patience.opensStream()
        #expect(scene.pass(10_000) == nil)
        scene.patience.opensStream()
        scene.patience.closesStream(now: scene.now)
        #expect(scene.pass(10_000) == nil)
        scene.patience.closesStream(now: scene.now)
        for _ in 0..<7 {
            #expect(scene.pass(10) == nil)
            scene.receive(17)
        }
        // Five seconds more than with HTTP/1, for the announcement of the end.
        let end = scene.pass(1_000)
        #expect(end?.what == .idle && end?.at == 20_080)
    }

    @Test func `a handshake is part of the first header`() {
        var scene = Scene()
        scene.receive(200)
        #expect(scene.pass(19) == nil)
        scene.receive(1)
        #expect(scene.pass(1_000)?.at == 20)
    }

    @Test func `a request that is being answered has all the time in the world`() {
        var scene = Scene()
        scene.request()
        scene.patience.beginsAnswer()
        for _ in 0..<10_000 {
            scene.patience.writes(30)
            #expect(scene.pass(15) == nil)
        }
    }

    @Test func `a body must get on within the pause`() {
        var scene = Scene()
        scene.request(bodyFollows: true)
        // This rate is fast enough for an hour.
        for _ in 0..<180 {
            #expect(scene.pass(20) == nil)
            scene.receive(1_000)
        }
        // A trickle is not progress, however regular it is.
        var end: (what: ConnectionPatience.Overdue, at: Int64)?
        for _ in 0..<60 where end == nil {
            scene.receive(1)
            end = scene.pass(1)
        }
        #expect(end?.what == .body)
        #expect(scene.patience.canAnswer)
    }

    @Test func `a server that does not read has only itself to blame`() {
        var scene = Scene()
        scene.request(bodyFollows: true)
        for _ in 0..<10 {
            // The client reads nothing for ten minutes, then a little, without a pause.
            scene.patience.receives(1, now: scene.now)
            #expect(scene.pass(600) == nil)
            scene.patience.reads(now: scene.now)
        }
        #expect(scene.pass(29) == nil)
        #expect(scene.pass(2)?.what == .body)
    }

    @Test func `a body whose answer is out is drained for a while only`() {
        var scene = Scene()
        scene.request(bodyFollows: true)
        scene.answer()
        var end: (what: ConnectionPatience.Overdue, at: Int64)?
        for _ in 0..<60 where end == nil {
            scene.receive(1_000_000)
            end = scene.pass(1)
        }
        #expect(end?.what == .drain && end?.at == 15)
    }

    @Test func `a reader must take something within the pause`() {
        var scene = Scene()
        scene.request()
        scene.patience.beginsAnswer()
        scene.patience.writes(1_000_000)
        scene.unsent = 1_000_000
        for _ in 0..<100 {
            #expect(scene.pass(20) == nil)
            scene.unsent -= 1_000
        }
        let before = scene.now
        let end = scene.pass(1_000)
        #expect(end?.what == .reader)
        #expect(scene.now - before <= Self.limits.pause + Self.limits.check)
    }

    @Test func `a side that does not close is closed`() {
        var scene = Scene()
        scene.request()
        scene.answer()
        scene.patience.closes(now: scene.now)
        let end = scene.pass(1_000)
        #expect(end?.what == .closing && end?.at == 5)
    }

    @Test func `pipelined requests are answered in their own time`() {
        var scene = Scene()
        for _ in 0..<3 { scene.request() }
        for _ in 0..<3 {
            #expect(scene.pass(500) == nil)
            scene.answer()
        }
        #expect(scene.pass(1_000)?.what == .idle)
    }
}
