import Hummingbird
import ServiceKit

/// A page of a list; `previous` and `next` are 0 if there is no such page.
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

    /// The requested page: `page` from 1, `limit` from 1 to 1000.
    struct Place {
        var page: Int
        var limit: Int

        /// - Throws: `PortOneError` for an invalid page or limit.
        init(_ request: Request) throws(PortOneError) {
            page = try request.portOneNumber("page", in: 1...1_000_000) ?? 1
            limit = try request.portOneNumber("limit", in: 1...1000) ?? 20
        }
    }
}

extension Request {
    /// An integer from the query; nil if it is absent or empty.
    func portOneNumber(_ name: String, in range: ClosedRange<Int>) throws(PortOneError) -> Int? {
        guard let text = query(name), !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .bad(name, "\(range.lowerBound)에서 \(range.upperBound) 사이의 정수이어야 합니다.")
        }
        return number
    }
}
