import Contracts
import Files
import NIOCore

/// The app uploads all files as those of posts, and refers to them in listings, too. A listing gets its own copy, so
/// that neither service depends on references in the other's rows.
extension Pictures {
    /// Whether a path can be one of a listing's or post's file.
    static func isPath(_ path: String) -> Bool {
        rules.name(in: path) != nil || path.hasPrefix(CommunityAPI.File.prefix)
    }

    /// Copies files that an account has uploaded for posts.
    ///
    /// - Returns: The paths, with those of the copies.
    /// - Throws: `EstateError.rule` when a file belongs to another account, no longer exists or is not a picture.
    func adopt(_ paths: [String], by account: AccountID) async throws -> [String] {
        var adopted: [String: String] = [:]
        for path in Set(paths) where path.hasPrefix(CommunityAPI.File.prefix) {
            let name = String(path.dropFirst(CommunityAPI.File.prefix.count))
            guard name.utf8.allSatisfy(Self.isPlain), let bytes = try await fetch(name, account) else {
                throw EstateError.rule(Listings.foreignThumbnails)
            }
            adopted[path] = try await keep([receive(bytes)], by: account).first
        }
        return paths.map { adopted[$0] ?? $0 }
    }

    private func receive(_ bytes: ByteBuffer) async throws -> IncomingFile {
        do {
            return try await uploads.receive(OnePiece(bytes: bytes), Self.rules)
        } catch is FilesError {
            throw EstateError.rule("thumbnails must be pictures.")
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (48...57).contains(byte) || (97...122).contains(byte)
    }
}

/// A buffer as a sequence of one element.
private struct OnePiece: AsyncSequence, AsyncIteratorProtocol {
    var bytes: ByteBuffer?

    func makeAsyncIterator() -> OnePiece { self }

    mutating func next() async throws -> ByteBuffer? {
        defer { bytes = nil }
        return bytes
    }
}
