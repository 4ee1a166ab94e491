import Audit
import Foundation
import Glibc

extension AuditActor {
    /// The user of the machine who runs this command; behind sudo, also the one who called it.
    package static let machineUser: AuditActor = {
        let name = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "uid \(getuid())"
        guard let caller = ProcessInfo.processInfo.environment["SUDO_USER"], !caller.isEmpty, caller != name else {
            return .machine(name)
        }
        return .machine("\(name), by sudo of \(caller)")
    }()
}
