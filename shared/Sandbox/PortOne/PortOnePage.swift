import Hummingbird
import ServiceHost

/// One page of a list; 0 where there is no page before or after it.
struct PortOnePage: Encodable {
    var total: Int
    var previous: Int
    var next: Int
    var list: [PortOnePayment]

    init(_ payments: [PortOnePayment], _ place: Place) {
        let start = min((place.page - 1) * place.limit, payments.count)
        let end = min(start + place.limit, payments.count)
        total = payments.count
        previous = payments.isEmpty ? 0 : place.page - 1
        next = end < payments.count ? place.page + 1 : 0
        list = Array(payments[start..<end])
    }

    /// Which page is asked for: `page` from 1, `limit` from 1 to 1000.
    struct Place {
        var page: Int
        var limit: Int

        /// - Throws: `PortOneError` for a page or limit that cannot be.
        init(_ request: Request) throws(PortOneError) {
            page = try request.portOneNumber("page", in: 1...1_000_000) ?? 1
            limit = try request.portOneNumber("limit", in: 1...1000) ?? 20
        }
    }
}

extension Request {
    /// A whole number from the query; nil when it is absent or empty.
    func portOneNumber(_ name: String, in range: ClosedRange<Int>) throws(PortOneError) -> Int? {
        guard let text = query(name), !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .bad(name, "\(range.lowerBound)에서 \(range.upperBound) 사이의 정수이어야 합니다.")
        }
        return number
    }
}
