import UnixSignals

/// The signals of the process that a server obeys.
struct ServerSignals: Sendable {
    /// Signals that end the server gracefully.
    var ending: [UnixSignal]
    /// The signal that reloads the files named in the configuration; nil if none does.
    var reloading: UnixSignal?

    /// Those of a service, which its supervisor sends.
    static let serving = ServerSignals(ending: [.sigterm, .sigint], reloading: .sighup)
    /// Those of a server that ends when its terminal is closed.
    static let terminal = ServerSignals(ending: [.sigterm, .sigint, .sighup], reloading: nil)
    /// None: the server ends with its task, in a process that may run others.
    static let none = ServerSignals(ending: [], reloading: nil)
}
