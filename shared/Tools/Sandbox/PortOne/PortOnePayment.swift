import Apps
import Values

/// A payment in PortOne's format: `null` or 0 for absent values, times in Unix seconds.
///
/// Source: Anlaka contract 6.1, "Payment fields".
struct PortOnePayment: Sendable, Encodable {
    /// The state of a payment. A partially refunded one is still paid.
    enum Status: String, Sendable, Encodable, CaseIterable {
        case ready, paid, cancelled, failed
    }

    struct Cancellation: Sendable, Encodable {
        var pgTid: String
        var amount: PortOneAmount
        var cancelledAt: Int
        var reason: String
        var cancellationId: String
        var receiptUrl: String
    }

    var impUid = ""
    let merchantUid: String
    var payMethod = "card"
    /// `pc`, `mobile` or `api`.
    var channel = "pc"
    var pgProvider = "html5_inicis"
    @Nullable var embPgProvider: String? = nil
    @Nullable var pgTid: String? = nil
    var pgId = "INIpayTest"
    var sandbox = false
    var escrow = false
    @Nullable var applyNum: String? = nil

    @Nullable var bankCode: String? = nil
    @Nullable var bankName: String? = nil
    @Nullable var cardCode: String? = nil
    @Nullable var cardName: String? = nil
    @Nullable var cardIssuerCode: String? = nil
    @Nullable var cardIssuerName: String? = nil
    @Nullable var cardPublisherCode: String? = nil
    @Nullable var cardPublisherName: String? = nil
    var cardQuota = 0
    @Nullable var cardNumber: String? = nil
    /// 0 for a credit card, 1 for a debit card.
    @Nullable var cardType: Int? = nil
    @Nullable var vbankCode: String? = nil
    @Nullable var vbankName: String? = nil
    @Nullable var vbankNum: String? = nil
    @Nullable var vbankHolder: String? = nil
    var vbankDate = 0
    var vbankIssuedAt = 0

    @Nullable var name: String? = nil
    var amount: PortOneAmount
    /// The sum refunded so far.
    var cancelAmount = PortOneAmount.zero
    var currency = "KRW"
    @Nullable var buyerName: String? = nil
    @Nullable var buyerEmail: String? = nil
    @Nullable var buyerTel: String? = nil
    @Nullable var buyerAddr: String? = nil
    @Nullable var buyerPostcode: String? = nil
    @Nullable var customData: String? = nil
    @Nullable var userAgent: String? = nil

    var status = Status.ready
    var startedAt: Int
    var paidAt = 0
    var failedAt = 0
    var cancelledAt = 0
    @Nullable var failReason: String? = nil
    @Nullable var cancelReason: String? = nil
    @Nullable var receiptUrl: String? = nil
    var cancelHistory: [Cancellation] = []
    var cancelReceiptUrls: [String] = []
    var cashReceiptIssued = false
    @Nullable var customerUid: String? = nil
    @Nullable var customerUidUsage: String? = nil

    /// A payment that has been started, without an `imp_uid`.
    ///
    /// - Parameter startedAt: Unix seconds.
    init(merchantUid: String, amount: PortOneAmount, startedAt: Int) {
        self.merchantUid = merchantUid
        self.amount = amount
        self.startedAt = startedAt
    }
}
