/// Which part of a file somebody asks for (RFC 9110 §14.1.2).
package enum ByteRange: Sendable, Equatable {
    case whole
    case part(Range<Int>)
    /// There are no such bytes.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the value of `Range`. What is not understood asks for the whole, and so do several ranges at once.
    ///   - size: bytes of the file.
    package init(_ field: String?, size: Int) {
        guard let field, field.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            self = .whole
            return
        }
        // More digits than a number has: beyond every end.
        let numbers = ends.map { $0.isEmpty ? nil : Int($0) ?? .max }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last?) where last < first: self = .whole
        case (let first?, let last):
            self = first < size ? .part(first..<min(last ?? .max, size - 1) + 1) : .unsatisfiable
        case (nil, let count?): self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
        case (nil, nil): self = .whole
        }
    }
}
