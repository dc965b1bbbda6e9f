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
    /// The name of the session with which its requests are sent.
    var session: String

    /// The statuses which say that a token is not valid.
    private static let refusalsOfTokens: Set<Int> = [401, 418, 419]

    package init(_ name: String, of account: AccountID, diary: Diary, habits: Habits) {
        (self.name, self.account, self.diary, self.habits) = (name, account, diary, habits)
        session = "of \(name)"
    }

    /// An attempt with its answer.
    struct Answer: Sendable {
        var attempt: Attempt
        /// nil without one.
        var response: ClientResponse?
    }

    /// Sends a request, once.
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
            if !isOwn { note(route, attempt, isAnswered: false) }
            return Answer(attempt: attempt)
        }
        attempt.outcome = Outcome(response)
        attempt.trace = response.header("x-request-id")
        if Self.refusalsOfTokens.contains(response.status) {
            let use = TokenUse(attempt, session: session)
            diary.note { $0.sessions.uses.append(use) }
        }
        note(route, attempt, isAnswered: response.status < 500)
        return Answer(attempt: attempt, response: response)
    }

    private func note(_ route: String, _ attempt: Attempt, isAnswered: Bool) {
        let answer = RouteAnswer(
            route,
            begun: attempt.begun,
            ended: attempt.ended ?? diary.now,
            isAnswered: isAnswered
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
