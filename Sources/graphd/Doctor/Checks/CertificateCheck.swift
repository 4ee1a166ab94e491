import Database

/// The time that is left to the certificate of the server.
enum CertificateCheck {
    /// Milliseconds before its end at which a certificate should have been renewed.
    static let renewal = 14 * Milliseconds.day

    /// - Parameters:
    ///   - expiry: the end of the certificate, in seconds since 1970.
    ///   - now: milliseconds since 1970.
    static func finding(expiry: Int64, now: Int64) -> Finding {
        let left = expiry * 1_000 - now
        if left <= 0 {
            return Finding(
                .certificate, .failure, "The certificate expired \(AgeText.text(-left)) ago.",
                remedy: "Renew it; a server takes up the new file within seconds.")
        }
        if left < renewal {
            return Finding(
                .certificate, .warning, "The certificate expires in \(AgeText.text(left)).",
                remedy: "Renew it; a server takes up the new file within seconds.")
        }
        return Finding(.certificate, .sound, "The certificate is valid for another \(AgeText.text(left)).")
    }
}
