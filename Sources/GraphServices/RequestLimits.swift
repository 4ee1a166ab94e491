import Database
import SocialGraph

/// Limits on requests. Lengths of text are counted in Unicode scalars. Limits of stored data are in their modules, such
/// as ``SocialGraphLimits``; constants that tune an algorithm are in its type.
package enum RequestLimits {
    // The request as a whole.

    /// Bytes of a body.
    package static let bodyBytes = 1_048_576
    /// Bytes of a body that may hold a picture in Base64.
    package static let pictureBodyBytes = 8_388_608
    /// Bytes of a body that logs somebody in: an address and a password, or a token.
    package static let credentialBodyBytes = 16_384
    /// Bytes of a whole header of a request.
    package static let headerBytes = 65_536
    /// Bytes of one field of a request's header.
    package static let headerFieldBytes = 16_384
    /// Fields of a request's header.
    package static let headerFields = 100
    /// Bytes of a query.
    package static let queryBytes = 32_768
    /// Parameters of a query.
    package static let queryParameters = 32
    /// Bytes of the name of a parameter.
    package static let parameterNameBytes = 128
    /// Characters of a client's own request id.
    package static let requestIDLength = 1...64

    // Values.

    /// Bytes of a text whose own rules are not applied when it is read: a password or an e-mail address at log-in, a
    /// refresh token, a cursor.
    package static let anyStringBytes = 16_384
    /// Ids have 53 bits, so that a Redis score and a JavaScript number hold them exactly.
    package static let id: ClosedRange<Int64> = 1...9_007_199_254_740_991
    /// Digits of an id.
    static let idDigits = 16
    /// Items that a client may request for a page.
    package static let pageLimit = SocialGraphLimits.pageSize
    /// Items of a page if the client requests no number.
    package static let defaultPageLimit = 20
    /// Bytes of a URL.
    static let urlBytes = 2048
    /// Characters of an e-mail address.
    static let emailLength = 254
    /// Characters of an e-mail address before the `@`.
    static let emailLocalPartLength = 64
    /// Characters of a username.
    package static let usernameLength = 1...SocialGraphLimits.usernameLength
    /// Length of a password.
    static let passwordLength = 8...256
    /// Length of the name of an app whose device is registered.
    package static let appNameLength = 64
    /// Length of the name of a time zone.
    package static let timeZoneLength = 64

    // Tokens.

    /// Milliseconds after a log-in in which an account without a password may make the changes for which other accounts
    /// must give their password.
    static let recentLogIn = 5 * Milliseconds.minute
    /// Bytes of a token. This server's own tokens are far shorter; longer ones are refused unread.
    static let tokenBytes = 1024
    /// Bytes of a token of the OpenID Connect issuer, which may have many claims.
    package static let outsideTokenBytes = 8192
    /// Length of the subject of the OpenID Connect issuer (OpenID Connect Core, section 2).
    static let subjectLength = 1...255

    // Connections.

    /// Concurrent connections, unless set otherwise.
    package static let connections = 30_000
    /// Concurrent connections of one address (IPv6: of one /64), unless set otherwise.
    package static let connectionsPerAddress = 1_000
    /// Concurrent requests on one connection of HTTP/2.
    package static let connectionRequests = 100
    /// Requests of one connection of HTTP/2 that its client may abandon within ``connectionWindow``, and errors and
    /// control frames that it may send in that time; beyond, the connection is closed.
    package static let abandonedRequests = 200
    package static let connectionWindow = Duration.seconds(30)
    /// Connections to the operators' address.
    package static let adminConnections = 16
    /// Time from the first byte of a header until it must be complete.
    package static let headerTime = Duration.seconds(20)
    /// Time in which a body, and the reader of an answer, must progress by ``bodyProgress``.
    package static let bodyPause = Duration.seconds(30)
    /// Bytes by which a body, and the reader of an answer, must progress within ``bodyPause``.
    package static let bodyProgress = 16_384
    /// Time that a connection may be idle between two requests.
    package static let idleTime = Duration.seconds(75)

    // Streams.

    /// Time without news after which a stream sends a heartbeat.
    package static let streamHeartbeat = Duration.seconds(15)
    /// Time that a reader may take for one write of a stream; then the stream ends.
    package static let streamWriteLimit = Duration.seconds(20)
    /// Milliseconds that a client that lost a stream should wait before it reconnects.
    package static let streamRetryMilliseconds = 2000

    // Files.

    /// Bytes of a stored video, if no other limit is set.
    package static let videoBytes = 256 << 20
    /// Pixels of a picture of a video: those of 8K.
    package static let videoPixels = 8_192 * 4_320
    /// Bytes of a stored picture.
    package static let pictureBytes = 10 << 20
    /// Bytes and files that one user may store, if no others are set.
    package static let mediaQuota = MediaQuota(bytes: 5 << 30, files: 10_000)
    /// Seconds for which a signed link to a file may be valid.
    package static let linkSeconds: ClosedRange<Int64> = 1...3_600
    /// Seconds for which such a link is valid if its caller names no time.
    package static let defaultLinkSeconds: Int64 = 600
    /// Time for which an upload is kept that no post or profile shows.
    package static let unusedFileAge = Duration.seconds(24 * 3600)
    /// Concurrent uploads of all users.
    package static let uploads = 32
    /// Concurrent uploads of one user.
    package static let uploadsPerUser = 4
    /// Concurrent downloads of files.
    package static let downloads = 512
    /// Concurrent downloads of one user: more than one connection of HTTP/2 can have.
    package static let downloadsPerUser = 128
    /// Time without a byte after which the sender of a file is disconnected.
    package static let uploadPause = Duration.seconds(30)
    /// Time that a sender whose upload was refused has to read the answer.
    package static let refusedUploadLimit = Duration.seconds(20)
    /// Characters of a multipart boundary (RFC 2046).
    package static let multipartBoundary = 1...70
    /// Bytes of the header of a part of a form.
    package static let multipartHeaderBytes = 8_192
    /// Parts of a form.
    package static let multipartParts = 64
    /// Bytes of all text of a form together.
    package static let multipartTextBytes = 65_536
    /// Bytes that a form may have besides its files and text.
    package static let multipartOverhead = 1 << 20
}
