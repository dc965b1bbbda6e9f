/// One header line, as ranges of the head's bytes.
struct HeaderField: Sendable {
    var name: HeaderName
    /// The whole line with its CRLF.
    var line: Range<Int>
    var nameEnd: Int
    /// The value without surrounding whitespace.
    var value: Range<Int>
    /// Whether the Connection field names this field, so that it applies to this hop only (RFC 9110 §7.6.1).
    var isNominated = false
}

/// The header lines of a head. The storage is reused for every message of a connection, so that parsing does not
/// allocate.
struct HeaderFields: Sendable {
    private(set) var lines: ContiguousArray<HeaderField> = []
    /// The known names that are present.
    private(set) var present: HeaderNames = []
    private(set) var connection = ConnectionOptions()
    private let names = HeaderNameTable.shared

    /// The range of the value of a known name.
    func value(_ name: HeaderName) -> Range<Int>? {
        guard present.contains(name) else { return nil }
        return lines.first { $0.name == name }?.value
    }

    /// Parses the header lines of a complete head found by `HeadScanner`.
    ///
    /// - Parameters:
    ///   - bytes: The head with its empty line.
    ///   - start: The start of the first header line.
    mutating func read(_ bytes: Span<UInt8>, from start: Int) throws(HTTPFault) {
        lines.removeAll(keepingCapacity: true)
        present = []
        connection = ConnectionOptions()
        var index = start
        while index < bytes.count - 2 {
            let field = try line(bytes, from: index)
            if field.name != .other, !present.insert(field.name), HeaderNames.singletons.contains(field.name) {
                throw .repeatedField
            }
            lines.append(field)
            index = field.line.upperBound
        }
        if present.contains(.connection) { try readConnectionOptions(bytes) }
    }

    private func line(_ bytes: Span<UInt8>, from start: Int) throws(HTTPFault) -> HeaderField {
        var index = start
        while ByteSet.token.contains(bytes[index]) { index += 1 }
        let nameEnd = index
        guard nameEnd > start else {
            throw bytes[start] == .space || bytes[start] == .tab ? .foldedField : .fieldName
        }
        guard bytes[index] == .colon else { throw .fieldName }
        index += 1
        while bytes[index] == .space || bytes[index] == .tab { index += 1 }
        let valueStart = index
        index = bytes.endOfFieldValue(from: index)
        guard bytes[index] == .carriageReturn else { throw .fieldValue }
        guard bytes[index + 1] == .lineFeed else { throw .lineEnd }
        var valueEnd = index
        while valueEnd > valueStart, bytes[valueEnd - 1] == .space || bytes[valueEnd - 1] == .tab { valueEnd -= 1 }
        return HeaderField(
            name: names.name(bytes, in: start..<nameEnd),
            line: start..<(index + 2),
            nameEnd: nameEnd,
            value: valueStart..<valueEnd
        )
    }

    /// Parses the options of every Connection field and marks the fields that they name.
    private mutating func readConnectionOptions(_ bytes: Span<UInt8>) throws(HTTPFault) {
        for field in lines where field.name == .connection {
            var start = field.value.lowerBound
            while start < field.value.upperBound {
                var end = start
                while end < field.value.upperBound, bytes[end] != .comma { end += 1 }
                let option = bytes.trimmed(start..<end)
                if !option.isEmpty {
                    guard option.allSatisfy({ ByteSet.token.contains(bytes[$0]) }) else { throw .fieldValue }
                    connection.insert(option, of: bytes)
                    nominate(option, of: bytes)
                }
                start = end + 1
            }
        }
    }

    private mutating func nominate(_ option: Range<Int>, of bytes: Span<UInt8>) {
        for index in lines.indices
        where bytes.equalsIgnoringCase(lines[index].line.lowerBound..<lines[index].nameEnd, option) {
            lines[index].isNominated = true
        }
    }
}

/// The options of a Connection field that a gateway acts on.
struct ConnectionOptions: Sendable {
    private(set) var close = false
    private(set) var upgrade = false

    fileprivate mutating func insert(_ option: Range<Int>, of bytes: Span<UInt8>) {
        if bytes.matches("close", in: option) { close = true }
        if bytes.matches("upgrade", in: option) { upgrade = true }
    }
}

extension Span<UInt8> {
    /// The end of the field value that begins at an index (RFC 9110 §5.5). Tokens make values long, so eight bytes are
    /// tested at once: the constants find bytes below a space, and DEL.
    func endOfFieldValue(from start: Int) -> Int {
        var index = start
        while index + 8 <= count {
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let deletes = word ^ 0x7f7f_7f7f_7f7f_7f7f
            let controls = (word &- 0x2020_2020_2020_2020) & ~word | (deletes &- 0x0101_0101_0101_0101) & ~deletes
            guard controls & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        while index < count, ByteSet.fieldValue.contains(self[index]) || self[index] >= 0x80 { index += 1 }
        return index
    }

    /// A range without spaces and tabs at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start] == .space || self[start] == .tab { start += 1 }
        while end > start, self[end - 1] == .space || self[end - 1] == .tab { end -= 1 }
        return start..<end
    }

    func equalsIgnoringCase(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count
        where self[left.lowerBound + offset].lowercased != self[right.lowerBound + offset].lowercased {
            return false
        }
        return true
    }
}
