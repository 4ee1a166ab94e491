import GraphServices
import Synchronization

/// Counts open connections, in total and by address, and admits no more than the limits allow.
final class ConnectionLimiter: Sendable {
    enum Admission: Sendable, Equatable {
        case admitted
        /// One too many in total, or from its address.
        case refused(Refusal)
    }

    enum Refusal: String, Sendable, CaseIterable {
        case full
        case address
    }

    private struct State {
        var open = 0
        var byAddress: [AddressBlock: Int] = [:]
        var refusing = 0
    }

    private let limit: Int
    private let limitPerAddress: Int
    private let refusals: Int
    /// Shared addresses, such as a proxy's: they count in the total only.
    private let isExempt: @Sendable (IPAddress) -> Bool
    private let state = Mutex(State())

    init(
        limit: Int, perAddress limitPerAddress: Int, refusals: Int,
        isExempt: @escaping @Sendable (IPAddress) -> Bool = { _ in false }
    ) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
        self.refusals = refusals
        self.isExempt = isExempt
    }

    /// Number of open connections.
    var open: Int { state.withLock { $0.open } }

    /// Counts a connection. An admitted one must call ``leave(_:)`` once.
    func enter(_ address: IPAddress?) -> Admission {
        let isExempt = address.map(isExempt) ?? false
        let block = AddressBlock(address)
        return state.withLock { state in
            guard state.open < limit else { return .refused(.full) }
            let count = state.byAddress[block, default: 0]
            guard isExempt || count < limitPerAddress else { return .refused(.address) }
            state.open += 1
            state.byAddress[block] = count + 1
            return .admitted
        }
    }

    func leave(_ address: IPAddress?) {
        let block = AddressBlock(address)
        state.withLock { state in
            state.open -= 1
            let count = state.byAddress[block, default: 1] - 1
            state.byAddress[block] = count > 0 ? count : nil
        }
    }

    /// Returns true if there is room to answer one more refusal; it must be followed by one ``endRefusal()``.
    func beginRefusal() -> Bool {
        state.withLock { state in
            guard state.refusing < refusals else { return false }
            state.refusing += 1
            return true
        }
    }

    func endRefusal() { state.withLock { $0.refusing -= 1 } }
}
