import Foundation
import Processes

extension ChildProcess {
    /// Starts `path` without input and with the standard error of this program. It ends with this program, even if that
    /// is killed.
    convenience init(_ path: String, _ arguments: [String], output: Launch.StandardFile = .nothing) throws {
        var launch = Launch(path, arguments)
        launch.output = output
        launch.error = .inherited
        try self.init(launch, endsWithParent: true)
    }

    /// Ends it with `signal`, and blocks until it has ended. A second call does nothing.
    func stop(signal: Int32 = SIGTERM) {
        self.signal(signal)
        waitBlocking()
    }
}
