import Database
import TestSupport
import Testing

@testable import SocialGraph

/// Jumps of the wall clock, forward and back, within a boot and between boots.
@Suite(.timeLimit(.unit))
struct SteadyClockTests {
    private static let day = Milliseconds.day

    /// A machine with a wall clock and a clock since boot, which tests set independently.
    private struct Machine {
        let wall = AdjustableClock()
        let boot = AdjustableClock(5_000)
        var bootID: String? = "a"

        func clock() -> SteadyClock { SteadyClock(wall: { wall.now }, boot: { boot.now }, bootID: bootID) }

        func pass(_ milliseconds: Int64) {
            wall.advance(by: milliseconds)
            boot.advance(by: milliseconds)
        }
    }

    @Test func `a jump by 200 days is not followed, and coming back leaves no trace`() {
        let machine = Machine()
        let clock = machine.clock()
        let start = machine.wall.now
        machine.wall.advance(by: 200 * Self.day)
        #expect(clock.now() == start && clock.expiry() == start)
        #expect(clock.jump == 200 * Self.day)
        machine.pass(Self.day - 1)
        #expect(clock.now() == start + Self.day - 1 && clock.expiry() == start + Self.day - 1)
        machine.wall.advance(by: -200 * Self.day)
        #expect(clock.now() == machine.wall.now && clock.expiry() == machine.wall.now && clock.jump == nil)
        #expect(clock.takeEvents() == [.jumped(by: 200 * Self.day), .returned] && clock.takeEvents().isEmpty)
    }

    @Test(arguments: [200 * day, -200 * day, 2 * day, -2 * day])
    func `a new time that lasts a day is followed`(jump: Int64) {
        let machine = Machine()
        let clock = machine.clock()
        machine.wall.advance(by: jump)
        for _ in 0..<24 {
            #expect(clock.expiry() == machine.wall.now - jump)
            machine.pass(Self.day / 24)
        }
        #expect(clock.now() == machine.wall.now && clock.expiry() == machine.wall.now)
        #expect(clock.takeEvents() == [.jumped(by: jump), .accepted(by: jump)])
    }

    @Test func `each jump begins the day of another time anew`() {
        let machine = Machine()
        let clock = machine.clock()
        let start = machine.wall.now
        var passed: Int64 = 0
        for _ in 0..<10 {
            machine.wall.advance(by: 30 * Self.day)
            #expect(clock.expiry() == start + passed)
            machine.pass(Self.day / 2)
            passed += Self.day / 2
        }
        #expect(clock.expiry() == start + passed)
        clock.confirm()
        #expect(clock.now() == machine.wall.now && clock.expiry() == machine.wall.now)
    }

    @Test func `a clock that is put right by a little is followed, and a step of hours ends nothing early`() {
        let machine = Machine()
        let clock = machine.clock()
        for step in [60_000, -60_000, SteadyClock.step] {
            machine.wall.advance(by: step)
            #expect(clock.now() == machine.wall.now && clock.expiry() == machine.wall.now)
        }
        let before = machine.wall.now
        machine.wall.advance(by: 5 * Milliseconds.hour)
        #expect(clock.now() == machine.wall.now && clock.expiry() == before)
        machine.wall.advance(by: -9 * Milliseconds.hour)
        #expect(clock.now() == machine.wall.now && clock.expiry() == machine.wall.now)
    }

    @Test func `a restart in the same boot sees the jump, and its day goes on`() {
        let machine = Machine()
        let first = machine.clock()
        let start = machine.wall.now
        machine.wall.advance(by: 200 * Self.day)
        _ = first.now()
        machine.pass(Self.day / 2)
        let second = machine.clock()
        second.resume(from: first.mark)
        #expect(second.now() == start + Self.day / 2 && second.expiry() == start + Self.day / 2)
        machine.pass(Self.day / 2)
        #expect(second.now() == machine.wall.now && second.expiry() == machine.wall.now)
    }

    @Test func `after 200 days without power nothing ends for a day, and then all that is due`() {
        var machine = Machine()
        let mark = machine.clock().mark
        let start = machine.wall.now
        machine.bootID = "b"
        machine.wall.advance(by: 200 * Self.day)
        machine.boot.advance(by: 100 - machine.boot.now)
        let clock = machine.clock()
        clock.resume(from: mark)
        #expect(clock.now() == machine.wall.now && clock.expiry() == start)
        machine.pass(Self.day)
        #expect(clock.expiry() == machine.wall.now)
    }

    @Test func `a false time at the start of a machine is given up when the right one comes`() {
        var machine = Machine()
        let mark = machine.clock().mark
        machine.bootID = "b"
        machine.wall.advance(by: 200 * Self.day)
        let clock = machine.clock()
        clock.resume(from: mark)
        machine.wall.advance(by: -200 * Self.day + Milliseconds.hour)
        #expect(clock.now() == machine.wall.now)
        #expect(clock.expiry() <= machine.wall.now)
        // A machine that has lost its time continues from the stored one.
        machine.bootID = "c"
        machine.wall.advance(by: -machine.wall.now)
        let late = machine.clock()
        late.resume(from: mark)
        #expect(late.now() == mark.trusted && late.expiry() == mark.trusted)
        machine.wall.advance(by: mark.trusted + Milliseconds.hour)
        #expect(late.now() == machine.wall.now)
    }

    @Test func `an hour without power is no jump`() {
        var machine = Machine()
        let mark = machine.clock().mark
        machine.bootID = nil
        machine.wall.advance(by: 20 * Milliseconds.hour)
        let clock = machine.clock()
        clock.resume(from: mark)
        #expect(clock.now() == machine.wall.now && clock.expiry() == machine.wall.now && clock.takeEvents().isEmpty)
    }

    @Test func `a machine without a time of its own is followed when it is given one`() {
        let machine = Machine()
        machine.wall.advance(by: -machine.wall.now)
        let clock = machine.clock()
        #expect(clock.now() == 0)
        machine.wall.advance(by: 1_780_000_000_000)
        #expect(clock.now() == machine.wall.now && clock.expiry() == machine.wall.now && clock.jump == nil)
    }
}
