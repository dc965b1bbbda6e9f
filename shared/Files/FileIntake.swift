import Crypto
import FoundationEssentials
package import NIOCore
package import NIOPosix

/// Takes files in from streams: tells their type, measures them, takes their metadata out and hashes them on the way to a
/// folder where they wait until they are kept. A file that is refused leaves nothing behind.
package struct FileIntake: Sendable {
    private let folder: String
    private let threads: NIOThreadPool

    /// - Parameter folder: on the same file system as the store, so that keeping a file is a rename.
    package init(folder: String, threads: NIOThreadPool = .singleton) {
        self.folder = folder
        self.threads = threads
    }

    /// Takes a file in.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that may come.
    ///   - types: what it may be.
    /// - Throws: `FilesError`, and what the stream throws.
    package func receive<Bytes: AsyncSequence>(
        _ bytes: Bytes,
        limit: Int,
        types: Set<FileType>
    ) async throws -> IncomingFile where Bytes.Element == ByteBuffer {
        var stream = bytes.makeAsyncIterator()
        var (head, received) = (ByteBuffer(), 0)
        while head.readableBytes < FileType.headSize, let chunk = try await stream.next(isolation: #isolation) {
            received += chunk.readableBytes
            guard received <= limit else { throw FilesError.tooLarge(limit: limit) }
            head.writeImmutableBuffer(chunk)
        }
        guard received > 0 else { throw FilesError.empty }
        let type = FileType(head: head.readableBytesView)
        guard let type, types.contains(type) else { throw FilesError.type(type) }

        let draft = try await onPool { [folder] in try FileDraft(in: folder) }
        do {
            var filter = MetadataFilter(type)
            var hash = SHA256()
            var size = 0
            var chunk: ByteBuffer? = head
            while let bytes = chunk {
                var clean = ByteBuffer()
                filter.filter(bytes, into: &clean)
                size += clean.readableBytes
                hash.update(data: clean.readableBytesView)
                if clean.readableBytes > 0 { try await onPool { [clean] in try draft.write(clean) } }
                chunk = try await stream.next(isolation: #isolation)
                received += chunk?.readableBytes ?? 0
                guard received <= limit else { throw FilesError.tooLarge(limit: limit) }
            }
            var rest = ByteBuffer()
            filter.finish(into: &rest)
            size += rest.readableBytes
            hash.update(data: rest.readableBytesView)
            try await onPool { [rest] in
                try draft.write(rest)
                try draft.close()
            }
            return IncomingFile(id: FileID(hash.finalize()), type: type, size: size, path: draft.path)
        } catch {
            // Not on the pool: that would not run when the request was cancelled.
            draft.remove()
            throw error
        }
    }

    /// Forgets a file that is not to be kept.
    package func discard(_ file: IncomingFile) {
        FileDraft.remove(file.path)
    }

    /// Makes the folder, and clears it of what a crash left there: nothing is on its way in for a day.
    ///
    /// - Throws: when the folder cannot be made or written.
    package func prepare() async throws {
        try await onPool { [folder] in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileDraft.removeLeftovers(in: folder, olderThan: 86_400)
            let probe = try FileDraft(in: folder)
            try probe.close()
            probe.remove()
        }
    }

    private func onPool<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await threads.runIfActive(work)
    }
}
