/// A buffer for encoded parameters: bytes, and numbers in network byte order.
package struct ParameterBuffer: Sendable {
    private var bytes: [UInt8] = []

    var count: Int { bytes.count }

    package mutating func write<Integer: FixedWidthInteger>(_ integer: Integer) {
        if bytes.isEmpty { bytes.reserveCapacity(32) }
        Swift.withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ bytes: some Sequence<UInt8>) {
        self.bytes.append(contentsOf: bytes)
    }

    mutating func write(_ other: ParameterBuffer) {
        bytes += other.bytes
    }

    /// Writes the number of bytes after the four bytes at `position` into these.
    mutating func setLength(at position: Int) {
        let length = Int32(clamping: bytes.count - position - 4)
        Swift.withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(position..<position + 4, with: $0) }
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes(body)
    }
}
