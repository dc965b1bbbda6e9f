import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Refunds by operators.
extension MoneyRoutes {
    /// The longest reason that the payments service takes, in characters.
    private static let longestReason = 100

    /// `POST /console/money/orders/ID/refund`: a part or all of a payment. The form's key makes it once, however many times
    /// the form is sent.
    func refund(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (fields, reason) = try await visit.act(request, context)
            guard reason.count <= Self.longestReason else {
                throw Problem(
                    .invalid,
                    message: visit.language("Give a reason of up to 100 characters.", "사유를 100자 이내로 적으세요.")
                )
            }
            guard let key = fields["key"].flatMap({ PublicID($0) }) else {
                throw Problem(.invalid, message: visit.language("Open the order again.", "주문을 다시 여세요."))
            }
            let amount = try Self.amount(fields["amount"] ?? "", visit)
            guard let order = try await visit.answered({ try await details(context, visit) }) else {
                throw Self.silent(visit)
            }
            guard let impUID = fields["payment"], order.payments.contains(where: { $0.impUID == impUID }) else {
                throw Problem(.notFound, message: visit.language("The order has no such payment.", "주문에 그런 결제가 없습니다."))
            }
            let refund = OperatorsAPI.Refund(amount: amount, reason: reason, operator: visit.visitor.name)
            let subject = "\(order.order.code) \(impUID) \(amount.map { "\($0)" } ?? "all")"
            var isAnswered = true
            try await visit.record("refund", on: subject, because: reason, in: domain.operators) {
                let answer = try await visit.answered {
                    try await money.refund(impUID, refund, key: "console-\(key)")
                }
                switch answer {
                case .refused(let why):
                    throw Problem(
                        .malformed,
                        message: visit.language("Payments refuses it: ", "결제 서비스가 거절했습니다: ") + why
                    )
                case .keyReused:
                    throw Problem(
                        .conflict,
                        message: visit.language(
                            "This form was sent before. Open the order again.",
                            "이미 보낸 양식입니다. 주문을 다시 여세요."
                        )
                    )
                case .taken:
                    let newest = try await visit.answered {
                        try await money.answeredRefund(of: impUID, in: order.order.id)
                    }
                    return Self.outcome(newest ?? nil)
                case nil:
                    isAnswered = false
                    return "payments does not answer"
                }
            }
            guard isAnswered else { throw Self.silent(visit) }
            return .seeOther("money/orders/\(order.order.id)")
        }
    }

    /// What PortOne has answered, for the record.
    private static func outcome(_ refund: OperatorsAPI.OrderDetails.Refund?) -> String {
        guard let refund else { return "taken" }
        if refund.doneAt != nil { return "PortOne has refunded \(refund.amount)" }
        return refund.lastError.map { "PortOne: \($0.prefix(200))" } ?? "PortOne has not answered yet"
    }

    /// - Returns: nil for all.
    private static func amount(_ text: String, _ visit: Visit) throws -> Int64? {
        guard !text.isEmpty else { return nil }
        guard let amount = Int64(text), amount > 0 else {
            throw Problem(
                .invalid,
                message: visit.language("The amount must be a whole number above 0.", "금액은 0보다 큰 정수여야 합니다.")
            )
        }
        return amount
    }

    private static func silent(_ visit: Visit) -> Problem {
        let text = visit.language(
            "Payments does not answer, so that it is not known whether this was done. The same form may be sent again: it refunds once.",
            "결제 서비스가 응답하지 않아 처리 여부를 알 수 없습니다. 같은 양식을 다시 보내도 한 번만 환불합니다."
        )
        return Problem(.unavailable, message: text)
    }
}
