import GRDB

/// An error of the driver's library. None reaches callers of the driver.
typealias EngineError = GRDB.DatabaseError
