import NIOCore

/// A file that is embedded in the program.
package struct StoredBytes: StoredFile {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var size: Int { bytes.count }

    package func read(_ range: Range<Int>) -> any FileReader { Reader(rest: ByteBuffer(bytes: bytes[range])) }

    private struct Reader: FileReader {
        var rest: ByteBuffer?

        mutating func next() -> ByteBuffer? {
            defer { rest = nil }
            return rest
        }
    }
}
