import Contracts

/// Public IDs of 12 bytes each, since a screen of the map has thousands.
struct PackedIDs: RandomAccessCollection, Sendable, Equatable {
    private var bytes: [UInt8]

    /// Number of digits of an ID.
    static let digitCount = 24
    private static let size = 12

    /// - Parameter bytes: 12 for each ID.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count / Self.size }

    subscript(index: Int) -> PublicID {
        PublicID(
            unchecked: String(unsafeUninitializedCapacity: Self.digitCount) { text in
                writeDigits(of: index, to: UnsafeMutableRawBufferPointer(text))
                return Self.digitCount
            }
        )
    }

    /// The IDs at some places.
    func picking(_ indices: some Sequence<Int>) -> PackedIDs {
        PackedIDs(indices.flatMap { bytes[$0 * Self.size..<($0 + 1) * Self.size] })
    }

    /// Sorts places by their IDs.
    func ordered(_ indices: [Int]) -> [Int] {
        let ids = bytes.withUnsafeBytes { bytes in
            indices.map { index in
                (
                    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * Self.size, as: UInt64.self)),
                    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index * Self.size + 8, as: UInt32.self)),
                    index
                )
            }
        }
        return ids.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    /// Writes the lower-case hexadecimal digits of an ID.
    ///
    /// - Parameter text: At least 24 bytes.
    func writeDigits(of index: Int, to text: UnsafeMutableRawBufferPointer) {
        for place in 0..<Self.size {
            let byte = bytes[index * Self.size + place]
            text[2 * place] = Self.digit(byte >> 4)
            text[2 * place + 1] = Self.digit(byte & 15)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}
