import Crypto
import FoundationEssentials
package import NIOCore
package import NIOPosix

/// Receives files from streams: detects their type, enforces size limits, strips metadata and computes the hash while
/// writing to a temporary folder. A refused file is removed.
package struct FileIntake: Sendable {
    private let folder: String
    private let threads: NIOThreadPool

    /// - Parameter folder: Must be on the same file system as the store, so that keeping a file is a rename.
    package init(folder: String, threads: NIOThreadPool = .singleton) {
        self.folder = folder
        self.threads = threads
    }

    /// Receives a file.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - types: The allowed types.
    /// - Throws: `FilesError`, and the errors of the stream.
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
                guard !filter.isRefused else { throw FilesError.metadata }
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
            // Not on the thread pool, which does not run work of a cancelled request.
            draft.remove()
            throw error
        }
    }

    /// Deletes a received file that will not be kept.
    package func discard(_ file: IncomingFile) {
        FileDraft.remove(file.path)
    }

    /// Creates the folder and deletes files older than a day, which a crash has left.
    ///
    /// - Throws: If the folder cannot be created or written.
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
