import NIOCore
import NIOPosix
import SystemPackage

/// A file on disk. It stays readable if it is deleted meanwhile.
final class LocalFile: StoredFile {
    let size: Int
    private let file: SystemPackage.FileDescriptor
    private let threads: NIOThreadPool

    private static let chunkSize = 64 * 1024

    init(path: String, threads: NIOThreadPool) throws {
        file = try SystemPackage.FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        self.threads = threads
        do {
            size = Int(try file.seek(offset: 0, from: .end))
        } catch {
            try? file.close()
            throw error
        }
    }

    deinit { try? file.close() }

    func read(_ range: Range<Int>) -> any FileReader { LocalFileReader(file: self, rest: range) }

    /// The first bytes of a range; nil if it is empty.
    func chunk(of range: Range<Int>) async throws -> ByteBuffer? {
        let (position, length) = (range.lowerBound, min(Self.chunkSize, range.count))
        guard length > 0 else { return nil }
        let bytes = try await threads.runIfActive { [file] in
            var bytes = ByteBuffer()
            try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { space in
                try file.read(fromAbsoluteOffset: Int64(position), into: .init(rebasing: space[..<length]))
            }
            return bytes
        }
        guard bytes.readableBytes > 0 else { throw Errno.ioError }
        return bytes
    }
}

/// Reads a part of a file on disk, for a response or an upload to the object store.
struct LocalFileReader: FileReader, AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = ByteBuffer

    let file: LocalFile
    var rest: Range<Int>

    mutating func next() async throws -> ByteBuffer? {
        let chunk = try await file.chunk(of: rest)
        rest = rest.lowerBound + (chunk?.readableBytes ?? 0)..<rest.upperBound
        return chunk
    }

    func makeAsyncIterator() -> LocalFileReader { self }
}
