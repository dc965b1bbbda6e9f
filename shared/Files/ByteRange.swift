/// The requested part of a file (RFC 9110 §14.1.2).
package enum ByteRange: Sendable, Equatable {
    case whole
    case part(Range<Int>)
    /// The requested bytes do not exist.
    case unsatisfiable

    /// - Parameters:
    ///   - field: The value of `Range`. An invalid value, or several ranges, selects the whole file.
    ///   - size: The size of the file, in bytes.
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
        // A number that overflows is beyond the end of any file.
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
