import CommandSupport
import Glibc
import NIOCore

/// Tries an address before anything is started, and says why it cannot be listened on and what to do about it.
struct ListeningCheck {
    let host: String
    /// The port; 0 is never in use.
    let port: Int
    /// The flags and the variable that choose another address.
    let settings: Settings

    struct Settings {
        let host: String
        let port: String
        let variable: String

        static let server = Settings(
            host: Setting.host.flag, port: Setting.port.flag, variable: Setting.port.environmentVariable)
        static let operators = Settings(
            host: Setting.adminAddress.flag, port: Setting.adminAddress.flag,
            variable: Setting.adminAddress.environmentVariable)
    }

    /// Binds a socket to the address, and closes it.
    ///
    /// - Parameter holder: finds the process that listens on a port.
    /// - Throws: `CommandFailure` if the address cannot be listened on.
    func run(holder: (Int) -> PortHolder? = { PortHolder(port: $0) }) throws {
        let address: SocketAddress
        do {
            address = try SocketAddress.makeAddressResolvingHost(host, port: port)
        } catch {
            throw CommandFailure(
                "The host name \(host) cannot be resolved. Name an address of this machine with \(settings.host).")
        }
        let failure = Self.bindFailure(address)
        guard failure != 0 else { return }
        throw CommandFailure(explanation(of: failure, holder))
    }

    private func explanation(of failure: Int32, _ holder: (Int) -> PortHolder?) -> String {
        switch failure {
        case EADDRINUSE:
            let found = holder(port).map { "process \($0.pid) (\($0.name))" } ?? "another process"
            return "Port \(port) of \(host) is in use by \(found). Stop it, or choose another port with "
                + "\(settings.port) (\(settings.variable))."
        case EADDRNOTAVAIL:
            return "\(host) is not an address of this machine. Name one of its own with \(settings.host), or 0.0.0.0 "
                + "for all of them."
        case EACCES:
            return "Listening on port \(port) of \(host) is not permitted. Low ports need CAP_NET_BIND_SERVICE "
                + "(AmbientCapabilities= in systemd); choose another port with \(settings.port) "
                + "(\(settings.variable)), or put a reverse proxy in front."
        default:
            return "Listening on port \(port) of \(host) fails: \(String(cString: strerror(failure)))."
        }
    }

    /// Returns the error number of a bind to the address; 0 if it succeeds.
    private static func bindFailure(_ address: SocketAddress) -> Int32 {
        let family = address.protocol.rawValue
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        // As the server does: connections that linger after a restart are no obstacle.
        var reuses: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        let status = address.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
        return status == 0 ? 0 : errno
    }
}

extension ServerConfiguration {
    /// Checks that the addresses of a server with these settings are free.
    ///
    /// - Throws: `CommandFailure` if one is not.
    func checkAddresses() throws {
        try ListeningCheck(host: host, port: port, settings: .server).run()
        if let address = adminAddress {
            try ListeningCheck(host: address.host, port: address.port, settings: .operators).run()
        }
    }
}
