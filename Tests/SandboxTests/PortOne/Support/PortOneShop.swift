import Testing

@testable import Sandbox

/// A shop with an account at PortOne, and its access token.
struct PortOneShop: Sendable {
    let sandbox: SandboxClient
    let token: String

    static let credentials = """
        {"imp_key": "madang-development-portone-key", "imp_secret": "madang-development-portone-secret"}
        """

    init(at sandbox: SandboxClient = .current) async throws {
        self.sandbox = sandbox
        token = try await sandbox.portOneToken().accessToken
    }

    /// Runs `body` with a sandbox of its own.
    static func run(
        _ adjust: (inout SandboxConfiguration) -> Void,
        _ body: @Sendable (PortOneShop) async throws -> Void
    ) async throws {
        try await SandboxClient.run(adjust) { try await body(PortOneShop(at: $0)) }
    }

    /// Creates a paid payment and returns its `imp_uid`.
    func pay(_ merchantUid: String = "ABCD123456", _ amount: String = "12000", more: String = "") async throws -> String
    {
        let order = #"{"merchant_uid": "\#(merchantUid)", "amount": \#(amount)\#(more)}"#
        let reply = try await sandbox.post("/_control/payments", json: order)
        #expect(reply.status == 200)
        return try #require(reply.texts["imp_uid"])
    }

    func get<Value: Decodable & Sendable>(
        _ path: String,
        as type: Value.Type = PortOneAnswer.Payment.self
    ) async throws -> PortOneAnswer.Envelope<Value> {
        try await sandbox.get("/portone/\(path)", authorization: token).portOne()
    }

    func cancel(_ json: String) async throws -> PortOneAnswer.Envelope<PortOneAnswer.Payment> {
        try await sandbox.post("/portone/payments/cancel", json: json, authorization: token).portOne()
    }

    /// The payment from the control route.
    func state(_ impUid: String) async throws -> PortOneAnswer.Payment {
        try await sandbox.get("/_control/payments/\(impUid)").decode()
    }

    /// Opens the pay window as a page does.
    func begin(_ fields: [String: String] = [:]) async throws -> PortOneAnswer.Window {
        let usual = ["user_code": "imp00000000", "merchant_uid": "ABCD123456", "amount": "12000", "name": "room"]
        return try await sandbox.post("/portone/window", form: usual.merging(fields) { $1 }).decode()
    }

    /// Presses a button of the pay window.
    func press(_ button: String, in impUid: String) async throws -> PortOneAnswer.Window {
        try await sandbox.post("/portone/window/\(impUid)/\(button)", form: [:]).decode()
    }
}

/// PortOne's responses, as a shop decodes them.
enum PortOneAnswer {
    struct Envelope<Value: Decodable & Sendable>: Decodable, Sendable {
        var code: Int
        var message: String?
        var response: Value?
        /// The HTTP status.
        var status: Int?

        var value: Value { get throws { try #require(response) } }

        /// A refusal with a code of -1, and a message that contains a word.
        func expectRefusal(_ status: Int, _ word: String, sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(self.status == status, sourceLocation: sourceLocation)
            #expect(code == -1, sourceLocation: sourceLocation)
            #expect(word.isEmpty || message?.contains(word) == true, sourceLocation: sourceLocation)
        }
    }

    struct Token: Decodable, Sendable {
        var accessToken: String
        var now: Int
        var expiredAt: Int
    }

    struct Payment: Decodable, Sendable {
        var impUid: String
        var merchantUid: String
        var status: String
        var amount: Double
        var cancelAmount: Double
        var currency: String
        var sandbox: Bool
        var name: String?
        var buyerName: String?
        var channel: String
        var pgId: String
        var startedAt: Int
        var paidAt: Int
        var failedAt: Int
        var cancelledAt: Int
        var failReason: String?
        var cancelReason: String?
        var customData: String?
        var cancelHistory: [Cancellation]
        var cancelReceiptUrls: [String]
    }

    struct Cancellation: Decodable, Sendable {
        var amount: Double
        var reason: String
        var cancelledAt: Int
        var cancellationId: String
        var receiptUrl: String
    }

    struct Page: Decodable, Sendable {
        var total: Int
        var previous: Int
        var next: Int
        var list: [Payment]
    }

    struct Preparation: Decodable, Sendable, Equatable {
        var merchantUid: String
        var amount: Double
    }

    struct Window: Decodable, Sendable {
        var impUid: String?
        var outcome: Outcome?
        var redirect: String?
        var origin: String?
        var message: String?
    }

    struct Outcome: Decodable, Sendable {
        var success: Bool
        var impUid: String?
        var merchantUid: String?
        var status: String?
        var paidAmount: Double?
        var errorCode: String?
        var errorMsg: String?
    }
}

extension Reply {
    /// The response in PortOne's envelope, which always has all three members.
    func portOne<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self
    ) throws -> PortOneAnswer.Envelope<Value> {
        for member in ["code", "message", "response"] { #expect(text.contains(#""\#(member)":"#)) }
        var envelope = try decode(PortOneAnswer.Envelope<Value>.self)
        envelope.status = status
        return envelope
    }
}

extension SandboxClient {
    func portOneToken() async throws -> PortOneAnswer.Token {
        let reply = try await post("/portone/users/getToken", json: PortOneShop.credentials)
        return try reply.portOne(PortOneAnswer.Token.self).value
    }
}
