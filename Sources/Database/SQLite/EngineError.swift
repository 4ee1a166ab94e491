import GRDB

/// An error of the driver's library. None leaves the driver.
typealias EngineError = GRDB.DatabaseError
