import Apps
import Hummingbird
import ServiceKit

/// The controls for delivered messages and for errors of push tokens, below `/_control/push`.
struct PushControls: Sendable {
    let messages: FCMMessages
    let answers: FCMTokenAnswers

    func add(to group: RouterGroup<SandboxContext>) {
        group.get(use: list)
        group.delete(use: forget)
        group.get("summary", use: summary)
        group.get("phones", use: phones)
        group.post("tokens/:token", use: setAnswer)
    }

    private func list(_ request: Request, _ context: SandboxContext) throws -> Response {
        let found = messages.newest(try request.limit(), to: request.query("token"), id: request.query("id"))
        return try .json(["messages": found.compactMap { try? PushRecord($0) }])
    }

    private func forget(_ request: Request, _ context: SandboxContext) -> Response {
        messages.forget()
        return .empty(.noContent)
    }

    private func summary(_ request: Request, _ context: SandboxContext) throws -> Response {
        let count = messages.count
        return try .json(["messages": count.messages, "tokens": count.tokens])
    }

    private func phones(_ request: Request, _ context: SandboxContext) -> Response {
        LockScreensPage(LockScreens(messages, only: request.query("token"))).response
    }

    private struct AnswerRequest: Decodable {
        /// One of FCM's codes; nil removes the error.
        var error: String?
        var retryAfter: Int?
        var count: Int?

        enum CodingKeys: String, CodingKey {
            case error, count
            case retryAfter = "retry_after"
        }
    }

    private func setAnswer(_ request: Request, _ context: SandboxContext) async throws -> Response {
        guard let token = context.parameters.get("token")?.percentDecoded, !token.isEmpty else {
            throw Problem(.invalid, message: "token is not percent-encoded text.")
        }
        let body = try await request.jsonIfAny(AnswerRequest.self, context)
        answers.set(try body.flatMap(answer), for: token)
        return .empty(.noContent)
    }

    private func answer(_ body: AnswerRequest) throws -> FCMTokenAnswers.Answer? {
        guard let error = body.error else { return nil }
        guard let code = FCMError.Code(rawValue: error) else {
            let known = FCMError.Code.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalid, message: "error must be one of \(known).")
        }
        if let seconds = body.retryAfter { try Problem.check(seconds, "retry_after", in: 0...86_400) }
        guard body.count.map({ $0 > 0 }) ?? true else { throw Problem(.invalid, message: "count must be 1 or more.") }
        return FCMTokenAnswers.Answer(code: code, retryAfter: body.retryAfter, count: body.count)
    }
}
