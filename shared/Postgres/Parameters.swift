/// The parameters of a statement, encoded consecutively in one buffer: type, length (-1 for NULL), value in binary
/// format.
struct Parameters: Sendable {
    private(set) var count = 0
    private var buffer = ParameterBuffer()
    /// The error of the first value that could not be encoded; thrown when the statement is sent.
    private(set) var failure: PostgresError?

    /// PostgreSQL's limits on one value, in bytes, and on the parameters of a statement.
    private static let largestValue = 1 << 30
    private static let largestCount = 65_535

    mutating func append<Value: PostgresEncodable>(_ value: Value?) {
        count += 1
        if count > Self.largestCount { fail("a statement has at most \(Self.largestCount) parameters") }
        buffer.write(Value.postgresType.oid)
        let start = buffer.count
        buffer.write(Int32(-1))
        guard let value else { return }
        do {
            try value.encode(into: &buffer)
            if buffer.count - start > Self.largestValue { fail("it is larger than 1 GB") }
        } catch {
            fail((error as? PostgresError)?.message ?? "it cannot be encoded as \(Value.self)")
        }
        buffer.setLength(at: start)
    }

    mutating func append(contentsOf others: Parameters) {
        count += others.count
        if count > Self.largestCount { fail("a statement has at most \(Self.largestCount) parameters") }
        buffer.write(others.buffer)
        failure = failure ?? others.failure
    }

    private mutating func fail(_ reason: String) {
        failure = failure ?? PostgresError(.unencodable, "A parameter cannot be sent: \(reason)")
    }

    /// Calls `body` with each parameter in order: its type, as `pg_type.oid`, and its value; nil for NULL.
    private func forEach(_ body: (_ index: Int, _ type: UInt32, _ value: UnsafeRawBufferPointer?) -> Void) {
        buffer.withUnsafeBytes { bytes in
            var position = 0
            for index in 0..<count {
                let type = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
                let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position + 4, as: Int32.self))
                position += 8
                let end = position + Int(max(length, 0))
                body(index, type, length < 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
                position = end
            }
        }
    }

    var types: [UInt32] {
        var types: [UInt32] = []
        types.reserveCapacity(count)
        forEach { _, type, _ in types.append(type) }
        return types
    }

    /// Parameters of the same types, all NULL.
    var withoutValues: Parameters {
        var parameters = Parameters()
        parameters.count = count
        forEach { _, type, _ in
            parameters.buffer.write(type)
            parameters.buffer.write(Int32(-1))
        }
        return parameters
    }

    func hasSameTypes(as other: Parameters) -> Bool {
        other.buffer.withUnsafeBytes { others in
            var position = 0
            var isSame = count == other.count
            forEach { _, type, _ in
                guard isSame else { return }
                isSame = type == UInt32(bigEndian: others.loadUnaligned(fromByteOffset: position, as: UInt32.self))
                let length = Int32(bigEndian: others.loadUnaligned(fromByteOffset: position + 4, as: Int32.self))
                position += 8 + Int(max(length, 0))
            }
            return isSame
        }
    }

    /// Calls `body` with the values in libpq's form: addresses (nil for NULL), lengths and formats (all binary).
    func withPointers<Result>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        guard count > 0 else { return body(0, nil, nil, nil) }
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
                let lengths = UnsafeMutableBufferPointer(rebasing: numbers[..<count])
                let formats = UnsafeMutableBufferPointer(rebasing: numbers[count...])
                formats.initialize(repeating: 1)
                forEach { index, _, value in
                    values.initializeElement(
                        at: index,
                        to: value?.baseAddress?.assumingMemoryBound(to: CChar.self)
                    )
                    lengths.initializeElement(at: index, to: Int32(value?.count ?? 0))
                }
                return body(Int32(count), values.baseAddress, lengths.baseAddress, formats.baseAddress)
            }
        }
    }
}
