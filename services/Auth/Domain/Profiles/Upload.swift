import Contracts
import Files

/// A picture that somebody has sent.
struct Upload: Sendable, Equatable {
    /// The last component of its path.
    var name: String
    var file: FileID
    var type: FileType
    /// Bytes.
    var size: Int
}

/// The name of an upload: 128 random bits, and an ending that says what it is.
enum UploadName {
    static func random(_ type: FileType) -> String {
        let digits = Array("0123456789abcdef")
        var generator = SystemRandomNumberGenerator()
        let name = (0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] }
        return "\(String(name)).\(type.fileExtension)"
    }
}

/// What profile pictures an app takes, and by which path it knows them.
struct ProfileImageRules: Sendable, Equatable {
    /// Bytes.
    var limit: Int
    var types: Set<FileType>
    /// What stands before the name in what is stored and answered.
    var prefix: String

    /// nil for apps whose profiles have no pictures of one's own.
    ///
    /// - Parameter publicURL: where phones reach the gateway.
    init?(_ app: App, publicURL: String) {
        switch app {
        // Anlaka contract 2.1, call 9.
        case .anlaka: self.init(limit: 1 << 20, types: .stills, prefix: "/data/profiles/")
        // Culture contract 1 and 6: without a leading slash.
        case .culture: self.init(limit: 1 << 20, types: .stills, prefix: "uploads/profiles/")
        // MOUP contract 1.4, call 9: a URL that is fetched without a header.
        case .moup:
            self.init(limit: 10 << 20, types: .pictures, prefix: "\(publicURL)/files/users/profile-images/")
        case .seatcatcher, .withsuhyeon: return nil
        }
    }

    private init(limit: Int, types: Set<FileType>, prefix: String) {
        self.limit = limit
        self.types = types
        self.prefix = prefix
    }
}
