package import Crypto

/// What a file is stored under: the SHA-256 of its bytes, in 64 hexadecimal digits. Nobody outside of a service sees one.
package struct FileID: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    package init(_ digest: SHA256.Digest) {
        let digits = Array("0123456789abcdef")
        text = String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// nil for what is no id; so no id is a path.
    package init?(parsing text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        self.text = text
    }

    package var description: String { text }
}
