import Contracts
import FoundationEssentials
import NIOCore
import ServiceKit

/// Orders, refunds and comparisons with PortOne, as the payments service has them. All calls throw `InternalCallError`.
struct MoneyReader: Sendable {
    /// nil if the console was not given the address of the payments service.
    let client: InternalClient?
    /// How long a comparison goes on with another part in one request.
    var comparisonTime = Duration.seconds(5)

    private static let deadline = Duration.seconds(2)
    /// Of changes. With the reads around them a page takes less time than a request may, or the act would not be recorded.
    private static let (refundDeadline, partDeadline) = (Duration.seconds(6), Duration.seconds(7))
    /// The number of payments of a part of a comparison.
    private static let partLimit = 200
    /// How long a page waits for PortOne.
    private static let wait = Duration.seconds(2)

    private var payments: InternalClient {
        get throws {
            guard let client else { throw InternalCallError.unavailable(ServiceName.payments.rawValue) }
            return client
        }
    }

    // MARK: Orders

    /// The order that a text names.
    func find(_ text: String) async throws -> OperatorsAPI.Orders {
        try await payments.get(
            "\(OperatorsAPI.Orders.path)?find=\(PercentEncoding.encoded(text))",
            deadline: Self.deadline
        )
    }

    /// The newest orders.
    ///
    /// - Parameters:
    ///   - state: `open`, `paid`, `expired` or `refunded`; nil for all.
    ///   - account: nil for all.
    func newest(_ state: String?, of account: AccountID?) async throws -> OperatorsAPI.Orders {
        let filters = [state.map { "state=\($0)" }, account.map { "account=\($0)" }].compactMap(\.self)
        let query = filters.isEmpty ? "" : "?\(filters.joined(separator: "&"))"
        return try await payments.get("\(OperatorsAPI.Orders.path)\(query)", deadline: Self.deadline)
    }

    /// nil for an unknown order.
    func order(_ id: Int64) async throws -> OperatorsAPI.OrderDetails? {
        try await known { try await $0.get(OperatorsAPI.OrderDetails.path(of: id), deadline: Self.deadline) }
    }

    /// The refunds that PortOne has not made yet.
    func pendingRefunds() async throws -> [OperatorsAPI.OrderDetails.Refund] {
        let answer: OperatorsAPI.Refunds = try await payments.get(OperatorsAPI.Refunds.path, deadline: Self.deadline)
        return answer.refunds
    }

    // MARK: Refunds

    /// What the payments service has answered to a request for a refund.
    enum RefundAnswer: Sendable, Equatable {
        /// PortOne is asked for it now.
        case taken
        /// With its reason.
        case refused(String)
        /// The key was used for another refund.
        case keyReused
    }

    /// Requests a refund.
    ///
    /// - Parameter key: The same one for the same refund, which is made once then.
    func refund(_ impUID: String, _ refund: OperatorsAPI.Refund, key: String) async throws -> RefundAnswer {
        // A repeated request is known by its bytes, too.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            let answer = try await payments.post(
                OperatorsAPI.Refund.path(of: impUID),
                json: String(decoding: try encoder.encode(refund), as: UTF8.self),
                repeatable: true,
                accepting: 400,
                idempotencyKey: key,
                deadline: Self.refundDeadline
            )
            guard answer.status == 400 else { return .taken }
            let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(answer.body.readableBytesView))
            return .refused(refusal?.message ?? "")
        } catch InternalCallError.refused(_, status: 409) {
            return .keyReused
        }
    }

    private struct Refusal: Decodable {
        var message: String
    }

    /// Waits a short time until PortOne has answered to the refunds of a payment.
    ///
    /// - Returns: The newest refund of the payment; nil if it is not known.
    func answeredRefund(of impUID: String, in order: Int64) async throws -> OperatorsAPI.OrderDetails.Refund? {
        let end = ContinuousClock.now + Self.wait
        while true {
            let newest = try await self.order(order)?.refunds.first { $0.impUID == impUID }
            guard let newest, newest.doneAt == nil, newest.lastError == nil, .now < end else { return newest }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    // MARK: Comparisons

    /// The newest comparisons with PortOne.
    func comparisons() async throws -> [OperatorsAPI.Comparison] {
        let answer: OperatorsAPI.Comparisons = try await payments.get(
            OperatorsAPI.Comparisons.path,
            deadline: Self.deadline
        )
        return answer.comparisons
    }

    /// The comparison of a day; nil if it was not compared.
    func comparison(of day: String) async throws -> OperatorsAPI.Comparison? {
        try await known { try await $0.get(OperatorsAPI.Comparison.path(day), deadline: Self.deadline) }
    }

    /// Compares a day again, part after part, until the end or for some seconds.
    ///
    /// - Parameter cursor: `next` of a comparison that goes on; nil for a new one.
    /// - Returns: With `next` if it has not come to its end and goes on here; nil while the day is being compared already, and
    ///   for an unknown cursor.
    func compare(_ day: String, after cursor: String? = nil) async throws -> OperatorsAPI.Comparison? {
        let end = ContinuousClock.now + comparisonTime
        var (comparison, cursor): (OperatorsAPI.Comparison?, String?) = (nil, cursor)
        repeat {
            guard let part = try await part(of: day, after: cursor) else {
                comparison?.next = nil
                return comparison
            }
            (comparison, cursor) = (part, part.next)
        } while cursor != nil && .now < end
        return comparison
    }

    private func part(of day: String, after cursor: String?) async throws -> OperatorsAPI.Comparison? {
        struct Nothing: Encodable {}
        do {
            return try await payments.post(
                OperatorsAPI.Comparison.path(day, after: cursor, limit: Self.partLimit),
                Nothing(),
                as: OperatorsAPI.Comparison.self,
                repeatable: cursor != nil,
                deadline: Self.partDeadline
            )
        } catch InternalCallError.refused(_, let status) where status == 409 || status == 404 || status == 400 {
            return nil
        }
    }

    /// What there is; nil for 404.
    private func known<Value>(_ call: (InternalClient) async throws -> Value) async throws -> Value? {
        do {
            return try await call(try payments)
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        }
    }
}
