import AppClients
package import Contracts
import FoundationEssentials

/// A phone of one person, with the weaknesses of a phone: answers that get lost on the way.
package struct Phone: Sendable {
    /// Such as "seats 12".
    package let name: String
    package let account: AccountID
    package let diary: Diary
    package let habits: Habits
    /// Renews its tokens; nil for a phone that signs in and out by itself.
    let login: Login?
    /// Whose tokens it presents; nil where it is not known.
    var connection: AppConnection?
    private var ownSession: String

    /// The name of the session with which its requests are sent.
    var session: String {
        get { login?.session ?? ownSession }
        set { ownSession = newValue }
    }

    /// The phone with another session of its own.
    func using(session: String) -> Phone {
        var phone = self
        phone.session = session
        return phone
    }

    /// The statuses which say that a token is not valid.
    private static let refusalsOfTokens: Set<Int> = [401, 418, 419]

    init(_ name: String, of account: AccountID, diary: Diary, habits: Habits, renewal: Renewal? = nil) {
        (self.name, self.account, self.diary, self.habits) = (name, account, diary, habits)
        login = renewal.map { Login($0, phone: name) }
        connection = renewal?.connection
        ownSession = "of \(name)"
    }

    /// An attempt with its answer.
    struct Answer: Sendable {
        var attempt: Attempt
        /// nil without one.
        var response: ClientResponse?
    }

    /// Sends a request, as the app does: with a token that it renews, and then again.
    ///
    /// - Parameters:
    ///   - route: The program that answers it, for its availability.
    ///   - cut: When the phone loses its connection, before an answer.
    func attempt(
        _ route: String,
        cut: Duration? = nil,
        _ send: @escaping @Sendable () async throws -> ClientResponse
    ) async -> Answer {
        let begun = diary.now
        guard await isReady() else { return unsent(begun) }
        var token = connection?.tokens?.accessToken ?? ""
        var answer = await self.send(route, cut: cut, send)
        if let login, let status = answer.response?.status, login.renewal.statuses.contains(status) {
            guard await login.renew(token, on: self) else { return unsent(begun) }
            token = connection?.tokens?.accessToken ?? ""
            answer = await self.send(route, cut: nil, send)
        }
        answer.attempt.begun = begun
        note(answer, token)
        return answer
    }

    /// Whether it has tokens that have not ended, maybe new ones.
    func isReady() async -> Bool { await login?.prepare(self) ?? true }

    /// An attempt whose request was not sent, or was refused for a token that could not be renewed then: the app shows its
    /// sign-in instead of an answer.
    private func unsent(_ begun: Moment) -> Answer {
        let outcome = Outcome.unknown("the phone was signed out, or could not renew its token")
        return Answer(attempt: Attempt(phone: name, account: account, begun: begun, ended: diary.now, outcome: outcome))
    }

    /// Notes that a token was refused, and when it ends.
    private func note(_ answer: Answer, _ token: String) {
        guard let status = answer.response?.status, Self.refusalsOfTokens.contains(status) else { return }
        let end = Date.end(ofToken: token).map(diary.moment)
        let use = TokenUse(answer.attempt, session: session, validUntil: end)
        diary.note { $0.sessions.uses.append(use) }
    }

    /// Sends a request, once.
    func send(
        _ route: String,
        cut: Duration?,
        _ send: @escaping @Sendable () async throws -> ClientResponse
    ) async -> Answer {
        let begun = diary.now
        let request = Task { try await send() }
        let timer = cut.map { cut in
            Task {
                try await Task.sleep(for: cut)
                request.cancel()
            }
        }
        let result = await request.result
        timer?.cancel()
        let ended = diary.now
        var attempt = Attempt(phone: name, account: account, begun: begun, ended: ended, outcome: .done)
        guard case .success(let response) = result else {
            let isOwn = cut != nil && request.isCancelled
            attempt.outcome = .unknown(isOwn ? "the phone lost its connection" : "no answer")
            if !isOwn { note(route, attempt, failure: "no answer") }
            return Answer(attempt: attempt)
        }
        attempt.outcome = Outcome(response)
        attempt.trace = response.header("x-request-id")
        note(route, attempt, failure: response.status < 500 ? nil : Self.failure(response, attempt))
        return Answer(attempt: attempt, response: response)
    }

    /// The status, what the answer says, and the trace.
    private static func failure(_ response: ClientResponse, _ attempt: Attempt) -> String {
        let message = JSON(parsing: response.bytes)?["message"]?.string
        return "status \(response.status)\(message.map { ", \"\($0)\"" } ?? "")"
            + (attempt.trace.map { " [\($0)]" } ?? "")
    }

    private func note(_ route: String, _ attempt: Attempt, failure: String?) {
        let answer = RouteAnswer(
            route,
            begun: attempt.begun,
            ended: attempt.ended ?? diary.now,
            failure: failure
        )
        diary.note { $0.answers.append(answer) }
    }

    /// Notes an answer that the app cannot read.
    func surprise(_ what: String, _ attempt: Attempt) {
        let step = attempt.step(what)
        diary.note { $0.surprises.append(step) }
    }
}

extension Outcome {
    /// What a response says about the request.
    init(_ response: ClientResponse) {
        switch response.status {
        case 200..<300: self = .done
        case 500...: self = .unknown("status \(response.status)")
        default:
            let body = JSON(parsing: response.bytes)
            let code = body?["code"]?.string ?? body?["errorCode"]?.string
            self = .refused("\(response.status)\(code.map { " \($0)" } ?? "")")
        }
    }
}
