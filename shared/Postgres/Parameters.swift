import NIOCore

/// The parameters of a statement as they go over the wire: types, lengths, and all values in one buffer, in binary format.
struct Parameters: Sendable {
    /// The type of each parameter, as `pg_type.oid`.
    private(set) var types: [UInt32] = []
    /// The length of each in bytes; -1 for NULL.
    private var lengths: [Int32] = []
    private var bytes = ByteBuffer()
    /// The first value that could not be encoded; thrown when the statement is sent.
    private(set) var failure: PostgresError?

    mutating func append<Value: PostgresEncodable>(_ value: Value?) {
        types.append(Value.postgresType.oid)
        guard let value else { return lengths.append(-1) }
        let start = bytes.writerIndex
        do {
            try value.encode(into: &bytes)
        } catch {
            fail((error as? PostgresError)?.message ?? "it cannot be encoded as \(Value.self)")
        }
        let length = bytes.writerIndex - start
        if length > Self.largestValue { fail("it is larger than 1 GB") }
        if types.count > Self.largestCount { fail("a statement has at most \(Self.largestCount) parameters") }
        lengths.append(Int32(clamping: length))
    }

    /// PostgreSQL's limits on one value, in bytes, and on the parameters of a statement.
    private static let largestValue = 1 << 30
    private static let largestCount = 65_535

    private mutating func fail(_ reason: String) {
        failure = failure ?? PostgresError(.unencodable, "Parameter $\(types.count) cannot be sent: \(reason)")
    }

    mutating func append(contentsOf others: Parameters) {
        types += others.types
        lengths += others.lengths
        bytes.writeImmutableBuffer(others.bytes)
        failure = failure ?? others.failure
    }

    /// Lends the values in the form that libpq takes: addresses (nil for NULL), lengths and formats (all binary).
    func withPointers<Result>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        let count = lengths.count
        guard count > 0 else { return body(0, nil, nil, nil) }
        return bytes.withUnsafeReadableBytes { bytes in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { formats in
                    formats.initialize(repeating: 1)
                    // An empty value still needs an address, or it would be NULL.
                    let somewhere = UnsafeRawPointer(formats.baseAddress)
                    var next = bytes.baseAddress ?? somewhere
                    for (index, length) in lengths.enumerated() {
                        values.initializeElement(
                            at: index,
                            to: length < 0 ? nil : next?.assumingMemoryBound(to: CChar.self)
                        )
                        if length > 0 { next = next?.advanced(by: Int(length)) }
                    }
                    return body(Int32(count), values.baseAddress, lengths, UnsafePointer(formats.baseAddress))
                }
            }
        }
    }
}
