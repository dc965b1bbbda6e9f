import FoundationEssentials

/// FCM's response (Anlaka contract 6.2).
struct FCMAnswer: Sendable {
    private var status: Int
    private var retryAfter: TimeInterval?
    private var failure: Failure?

    init(status: Int, retryAfter: TimeInterval?, body: Data) {
        self.status = status
        self.retryAfter = retryAfter
        failure = status == 200 ? nil : try? JSONDecoder().decode(Body.self, from: body).error
    }

    /// The access token is invalid or has expired. An invalid APNs certificate has the same status.
    var isUnauthenticated: Bool { status == 401 && code != "THIRD_PARTY_AUTH_ERROR" }

    /// The outcome for the push.
    var outcome: PushOutcome {
        switch (status, code) {
        case (200, _): .sent
        case (_, "UNREGISTERED"), (_, "SENDER_ID_MISMATCH"): .gone
        case (400, _): isAboutToken ? .gone : .refused(summary)
        case (_, "THIRD_PARTY_AUTH_ERROR"): .platformRejected(summary)
        case (401, _), (403, _): .misconfigured(summary)
        case (404, _): .misconfigured(summary)
        case (429, _): .later(summary, after: retryAfter ?? Self.quotaPause)
        case (500..., _): .later(summary, after: retryAfter)
        default: .refused(summary)
        }
    }

    /// Seconds, when FCM does not say when its quota is available again.
    private static let quotaPause: TimeInterval = 60

    private var code: String? {
        failure?.details?.lazy.compactMap(\.errorCode).first ?? failure?.status
    }

    private var isAboutToken: Bool {
        failure?.details?.contains { $0.fieldViolations?.contains { $0.field == "message.token" } ?? false } ?? false
    }

    /// For the log, without texts of messages.
    private var summary: String {
        let fields = failure?.details?.flatMap { $0.fieldViolations ?? [] }.compactMap(\.field) ?? []
        return ([String(status), code ?? "-"] + fields).joined(separator: " ")
    }

    private struct Body: Decodable {
        var error: Failure
    }

    private struct Failure: Decodable {
        var status: String?
        var details: [Detail]?
    }

    private struct Detail: Decodable {
        var errorCode: String?
        var fieldViolations: [Violation]?
    }

    private struct Violation: Decodable {
        var field: String?
    }
}
