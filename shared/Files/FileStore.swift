package import NIOCore

/// Storage of files: a folder (`LocalFileStore`), or a bucket of an object store (`S3FileStore`).
///
/// A file is first received by `FileIntake`, then kept. Files with the same content are stored once, so the caller of
/// `delete` must make sure that no other reference exists.
package protocol FileStore: Sendable {
    /// Stores a received file and removes it from the intake. Storing the same content again has no effect.
    func keep(_ file: IncomingFile) async throws
    /// nil if the file does not exist.
    func open(_ id: FileID) async throws -> (any StoredFile)?
    /// Deletes a file; no effect if it does not exist.
    func delete(_ id: FileID) async throws
}

/// An open file; closed when the last reference is released.
package protocol StoredFile: Sendable {
    /// Bytes.
    var size: Int { get }
    /// Reads a part of the file.
    func read(_ range: Range<Int>) async throws -> any FileReader
}

/// The bytes of a part of a file, read in pieces on demand.
package protocol FileReader {
    /// nil at the end.
    mutating func next() async throws -> ByteBuffer?
}

/// A completely received and accepted file that is not stored yet.
package struct IncomingFile: Sendable {
    package let id: FileID
    package let type: FileType
    /// Bytes, without the stripped metadata.
    package let size: Int
    let path: String
}
