import Foundation
import GRDB
import Synchronization

extension SQLiteDatabase {
    /// Opens the readers that GRDB would open at their first use, and keeps from then on.
    package func openReaders() throws {
        let failure = Mutex<EngineError?>(nil)
        let (arrived, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<Self.readers {
            // Threads, because each holds its reader until all are open.
            Thread { [pool] in
                do {
                    try pool.read { database in
                        // A reader opens the files at its first statement.
                        try database.execute(sql: "SELECT count(*) FROM sqlite_schema")
                        arrived.signal()
                        gate.wait()
                    }
                } catch {
                    failure.withLock { $0 = error as? EngineError }
                    arrived.signal()
                }
                left.signal()
            }.start()
        }
        for _ in 0..<Self.readers { arrived.wait() }
        for _ in 0..<Self.readers { gate.signal() }
        for _ in 0..<Self.readers { left.wait() }
        if let error = failure.withLock({ $0 }) { throw DatabaseError.storage(detail: "\(error)") }
    }
}
