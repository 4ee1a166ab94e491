import SocialGraph
import Synchronization

/// The windows in construction. Every push consults it when it is composed, so that a building window receives all
/// pushes composed after its registration. Earlier ones are in the snapshot that its build reads afterwards.
final class BuildRegistry: Sendable {
    private struct State {
        var builds: [UserID: [WindowBuild]] = [:]
        var next: Int64 = 1
    }

    private let state = Mutex(State())

    func register(_ viewer: UserID) -> WindowBuild {
        state.withLock { state in
            let build = WindowBuild(viewer: viewer, number: state.next)
            state.next += 1
            state.builds[viewer, default: []].append(build)
            return build
        }
    }

    func unregister(_ build: WindowBuild) {
        state.withLock { state in
            state.builds[build.viewer]?.removeAll { $0 == build }
            if state.builds[build.viewer]?.isEmpty == true { state.builds[build.viewer] = nil }
        }
    }

    func builds(of viewers: some Collection<UserID>) -> [WindowBuild] {
        state.withLock { state in
            if state.builds.isEmpty { return [] }
            return viewers.flatMap { state.builds[$0] ?? [] }
        }
    }
}
