import Contracts
import Files
import NIOCore
import Uploads

/// The app has one call to upload files, that of posts, and names what it got there in listings, too. A listing keeps a copy
/// of its own, so that neither service has to know what the other's rows name.
extension Pictures {
    /// Whether a path can be a picture's, of here or of a post.
    static func isPath(_ path: String) -> Bool {
        rules.name(in: path) != nil || path.hasPrefix(CommunityAPI.File.prefix)
    }

    /// Makes copies of what somebody has sent for posts.
    ///
    /// - Returns: the paths, with those of the copies.
    /// - Throws: `EstateError.rule` for what is not theirs, is gone, or is no picture.
    func adopt(_ paths: [String], by account: Int64) async throws -> [String] {
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

/// Bytes that are all there.
private struct OnePiece: AsyncSequence, AsyncIteratorProtocol {
    var bytes: ByteBuffer?

    func makeAsyncIterator() -> OnePiece { self }

    mutating func next() async throws -> ByteBuffer? {
        defer { bytes = nil }
        return bytes
    }
}
