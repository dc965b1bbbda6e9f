extension RequestTarget {
    /// Unwraps query values that a client printed as Swift optionals: `nick=Optional("x")` becomes `nick=x` (Anlaka
    /// contract 1.6). Quotes and brackets may be percent-encoded.
    mutating func unwrapOptionals() {
        guard bytes.count > pathEnd + 1, Self.mayHoldOptional(bytes[(pathEnd + 1)...]) else { return }
        let pairs = bytes[(pathEnd + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        setQuery(Array(pairs.map(Self.unwrapped).joined(separator: [UInt8(ascii: "&")])))
    }

    private static let word = Array("Optional".utf8)
    private static let openings = ["(\"", "(%22", "%28\"", "%28%22"].map { Array($0.utf8) }
    private static let closings = ["\")", "%22)", "\"%29", "%22%29"].map { Array($0.utf8) }

    private static func mayHoldOptional(_ query: ArraySlice<UInt8>) -> Bool {
        var index = query.startIndex
        while let mark = query[index...].firstIndex(of: UInt8(ascii: "=")) {
            if query[(mark + 1)...].starts(with: word) { return true }
            index = mark + 1
        }
        return false
    }

    private static func unwrapped(_ pair: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let mark = pair.firstIndex(of: UInt8(ascii: "=")) else { return pair }
        let value = pair[(mark + 1)...]
        guard value.starts(with: word) else { return pair }
        let rest = value.dropFirst(word.count)
        guard let opening = openings.first(where: { rest.starts(with: $0) }),
            let closing = closings.first(where: { rest.dropFirst(opening.count).ends(with: $0) })
        else { return pair }
        return pair[...mark] + rest.dropFirst(opening.count).dropLast(closing.count)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with suffix: [UInt8]) -> Bool {
        count >= suffix.count && self.suffix(suffix.count).elementsEqual(suffix)
    }
}
