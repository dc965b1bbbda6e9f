package import Crypto

/// The storage id of a file: the SHA-256 of its bytes, in 64 hexadecimal digits. It is internal to a service.
package struct FileID: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    package init(_ digest: SHA256.Digest) {
        let digits = Array("0123456789abcdef")
        text = String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// nil if the text is not an id, so that an id is always safe in a path.
    package init?(parsing text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        self.text = text
    }

    package var description: String { text }
}
