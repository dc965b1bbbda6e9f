package import Contracts

/// An uploaded file, served by its name.
package struct Upload: Sendable, Equatable {
    /// The last component of its path: 128 random bits, and a file extension.
    package let name: String
    /// The owner.
    package let account: AccountID
    package let file: FileID
    package let type: FileType
    /// Bytes.
    package let size: Int

    init(name: String, account: AccountID, file: FileID, type: FileType, size: Int) {
        self.name = name
        self.account = account
        self.file = file
        self.type = type
        self.size = size
    }

    /// Whether a text has the form of an upload's name.
    package static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 32 && (2...4).contains(parts[1].utf8.count)
            && text.utf8.allSatisfy { $0 == 46 || (48...57).contains($0) || (97...122).contains($0) }
    }

    /// Creates the upload of a received file.
    init(_ file: IncomingFile, by account: AccountID) {
        let digits = Array("0123456789abcdef")
        var generator = SystemRandomNumberGenerator()
        let name = String((0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
        self.init(
            name: "\(name).\(file.type.fileExtension)",
            account: account,
            file: file.id,
            type: file.type,
            size: file.size
        )
    }
}
