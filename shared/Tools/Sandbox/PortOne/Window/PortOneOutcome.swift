import Hummingbird

/// The result of the payment window for the page's callback.
struct PortOneOutcome: Sendable, Encodable {
    var success: Bool
    var impUid: String?
    var merchantUid: String?
    var errorCode: String?
    var errorMsg: String?
    var payMethod: String?
    var name: String?
    var paidAmount: PortOneAmount?
    var currency: String?
    var status: String?
    var pgProvider: String?
    var pgTid: String?
    var applyNum: String?
    var cardName: String?
    var cardNumber: String?
    var buyerName: String?
    var buyerEmail: String?
    var buyerTel: String?
    var buyerAddr: String?
    var buyerPostcode: String?
    var customData: String?
    var paidAt: Int?
    var receiptUrl: String?

    /// PortOne does not document its codes; this one is used for all errors.
    private static let errorCode = "F400"

    /// The result if the window did not open.
    init(refusal: String) {
        success = false
        errorCode = Self.errorCode
        errorMsg = refusal
    }

    init(_ payment: PortOnePayment) {
        success = payment.status == .paid
        impUid = payment.impUid
        merchantUid = payment.merchantUid
        payMethod = payment.payMethod
        name = payment.name
        currency = payment.currency
        status = payment.status.rawValue
        pgProvider = payment.pgProvider
        buyerName = payment.buyerName
        buyerEmail = payment.buyerEmail
        buyerTel = payment.buyerTel
        buyerAddr = payment.buyerAddr
        buyerPostcode = payment.buyerPostcode
        customData = payment.customData
        guard success else {
            errorCode = Self.errorCode
            errorMsg = payment.failReason
            return
        }
        paidAmount = payment.amount
        pgTid = payment.pgTid
        applyNum = payment.applyNum
        cardName = payment.cardName
        cardNumber = payment.cardNumber
        paidAt = payment.paidAt
        receiptUrl = payment.receiptUrl
    }

    /// The merchant's redirect URL with the result in its query, for mobile browsers.
    func redirect(to address: String) throws -> String {
        var fields = ["imp_success": "\(success)"]
        fields["imp_uid"] = impUid
        fields["merchant_uid"] = merchantUid
        fields["error_code"] = errorCode
        fields["error_msg"] = errorMsg
        let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let separator = parts[0].contains("?") ? "&" : "?"
        let fragment = parts.count > 1 ? "#\(parts[1])" : ""
        return parts[0] + separator + (try URLEncodedFormEncoder().encode(fields)) + fragment
    }
}
