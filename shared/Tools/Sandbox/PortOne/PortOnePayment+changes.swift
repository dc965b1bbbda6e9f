/// The state changes of a payment.
extension PortOnePayment {
    /// The sum that can still be refunded.
    var rest: PortOneAmount { amount - cancelAmount }

    /// Marks the payment as paid.
    ///
    /// - Parameter now: Unix seconds.
    mutating func confirm(at now: Int) {
        let digits = impUid.filter(\.isNumber)
        status = .paid
        paidAt = now
        failedAt = 0
        failReason = nil
        pgTid = "Stdpay\(payMethod.uppercased())\(pgId)\(digits)"
        receiptUrl = "https://receipt.portone.example/\(digits)"
        guard payMethod == "card" else { return }
        applyNum = String(digits.suffix(8))
        (cardCode, cardIssuerCode, cardPublisherCode) = ("366", "366", "366")
        (cardName, cardIssuerName, cardPublisherName) = ("신한카드", "신한카드", "신한카드")
        cardNumber = "433012******\(digits.suffix(4))"
        cardType = 0
    }

    /// Marks the payment as failed.
    mutating func fail(_ reason: String, at now: Int) {
        status = .failed
        paidAt = 0
        failedAt = now
        failReason = reason
    }

    /// Resets the payment to unpaid.
    mutating func reopen() {
        status = .ready
        paidAt = 0
        failedAt = 0
        failReason = nil
    }

    /// Removes all refunds.
    mutating func removeCancellations() {
        cancelAmount = .zero
        cancelledAt = 0
        cancelReason = nil
        cancelHistory = []
        cancelReceiptUrls = []
    }

    /// Refunds the payment.
    ///
    /// - Parameters:
    ///   - sum: The sum; nil for the rest.
    ///   - checksum: The refundable sum expected by the caller; nil to skip the check.
    ///   - now: Unix seconds.
    /// - Throws: `PortOneError` with HTTP status 200, PortOne's response to valid but impossible requests.
    mutating func cancel(
        _ sum: PortOneAmount?,
        checksum: PortOneAmount? = nil,
        reason: String?,
        at now: Int
    ) throws(PortOneError) {
        if status == .cancelled { throw .declined("이미 전액취소된 주문입니다.") }
        guard status == .paid else { throw .declined("결제가 완료되지 않아 취소할 수 없는 주문입니다.") }
        if let checksum, checksum != rest {
            throw .declined("취소가능금액 검증에 실패하였습니다. (checksum: \(checksum), 취소가능금액: \(rest))")
        }
        let sum = sum ?? rest
        guard sum <= rest else { throw .declined("취소요청금액(\(sum))이 취소가능금액(\(rest))보다 큽니다.") }
        guard sum.fits(currency) else { throw .declined("amount: \(currency) 금액에는 소수를 사용할 수 없습니다.") }

        let number = cancelHistory.count + 1
        let cancellation = Cancellation(
            pgTid: "\(pgTid ?? impUid)_\(number)",
            amount: sum,
            cancelledAt: now,
            reason: reason ?? "",
            cancellationId: "\(impUid)_\(number)",
            receiptUrl: "\(receiptUrl ?? "https://receipt.portone.example/")?cancel=\(number)"
        )
        cancelHistory.append(cancellation)
        cancelReceiptUrls.append(cancellation.receiptUrl)
        cancelAmount = cancelAmount + sum
        cancelReason = cancellation.reason
        if rest == .zero {
            status = .cancelled
            cancelledAt = now
        }
    }
}
