import RedisClient

/// One Redis and its share of the windows: a generation and a fence of its own, a connection that changes windows, and
/// one that reads them.
package struct WindowShard: Sendable {
    let number: ShardNumber
    let space: WindowSpace
    /// The only connection that changes windows. Its handshake decides whether the existing windows can be trusted.
    let writing: any WindowConnection
    let writer: WindowWriter
    let readable: ReadableShard

    var reading: any WindowConnection { readable.connection }

    init(
        number: ShardNumber, space: WindowSpace, writing: any WindowConnection, reading: any WindowConnection,
        writer: WindowWriter, reader: WindowReader
    ) {
        self.number = number
        self.space = space
        self.writing = writing
        self.writer = writer
        readable = ReadableShard(number: number, space: space, connection: reading, reader: reader)
    }
}
