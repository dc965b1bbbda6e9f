import FoundationEssentials
import Hummingbird

/// The end of a list that is kept when not all of it fits into a response.
enum ListEnd {
    case first, last
}

extension Array where Element: Encodable {
    /// Encodes as many elements as fit into 1 MB, at least one. Two users can write more than a phone can read, and than
    /// the service can keep in memory for many readers at once.
    ///
    /// - Throws: `EncodingError`.
    func encoded<Output>(
        keeping end: ListEnd,
        in limit: Int = 1_000_000,
        size: (Output) -> Int,
        _ encode: (Self) throws -> Output
    ) throws -> Output {
        let all = try encode(self)
        guard size(all) > limit else { return all }
        let encoder = JSONEncoder()
        var (count, left) = (0, limit - Self.envelope)
        for element in end == .first ? self : reversed() {
            left -= try encoder.encode(element).count + 1
            guard left >= 0 || count == 0 else { break }
            count += 1
        }
        return try encode(end == .first ? Array(prefix(count)) : Array(suffix(count)))
    }

    /// A response with as many elements as fit.
    func response(keeping end: ListEnd, _ encode: (Self) throws -> Response) throws -> Response {
        try encoded(keeping: end, size: { $0.body.contentLength ?? 0 }, encode)
    }

    /// Bytes around the elements.
    private static var envelope: Int { 1_000 }
}
