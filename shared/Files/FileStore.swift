package import NIOCore

/// Where files are kept: a folder (`LocalFileStore`), or a bucket of an object store (`S3FileStore`).
///
/// A file comes in by `FileIntake`, which checks and measures it, and is then kept. Files with the same bytes are one file,
/// so who deletes one must know that nobody else refers to it.
package protocol FileStore: Sendable {
    /// Keeps a file that has come in; takes it over from the intake. Keeping the same bytes again changes nothing.
    func keep(_ file: IncomingFile) async throws
    /// nil when there is no such file.
    func open(_ id: FileID) async throws -> (any StoredFile)?
    /// Deletes a file; without effect when it is not there.
    func delete(_ id: FileID) async throws
}

/// A file that is being read; closed when nobody holds it any more.
package protocol StoredFile: Sendable {
    /// Bytes.
    var size: Int { get }
    /// Begins to read a part of the bytes.
    func read(_ range: Range<Int>) async throws -> any FileReader
}

/// The bytes of a part of a file, piece by piece, each read when it is asked for.
package protocol FileReader {
    /// nil at the end.
    mutating func next() async throws -> ByteBuffer?
}

/// A file that has come in whole and may be had, and is not kept yet.
package struct IncomingFile: Sendable {
    package let id: FileID
    package let type: FileType
    /// Bytes, without the metadata that was taken out.
    package let size: Int
    let path: String
}
