import AppClients
import Authentication
import FoundationEssentials
import Synchronization

/// That a phone is signed in, with tokens that it renews as its app does.
final class Login: Sendable {
    let renewal: Renewal
    private let phone: String
    private let state = Mutex(State())

    private struct State {
        /// How often the person has signed in.
        var number = 1
        var isSignedOut = false
        /// The refresh or sign-in for which the phone's requests wait.
        var running: Task<Bool, Never>?
    }

    /// - Parameter phone: Its name.
    init(_ renewal: Renewal, phone: String) { (self.renewal, self.phone) = (renewal, phone) }

    /// The name of the session with which requests are sent.
    var session: String {
        let number = state.withLock { $0.number }
        return number == 1 ? "of \(phone)" : "\(number) of \(phone)"
    }

    /// What an app does before a request: nothing mostly.
    ///
    /// - Returns: Whether the request can be sent.
    func prepare(_ phone: Phone) async -> Bool {
        if state.withLock({ $0.isSignedOut }) {
            let signIn = renewal.signIn
            return await once { [self] in
                // Another request may have done it meanwhile.
                guard state.withLock({ $0.isSignedOut }) else { return true }
                guard (try? await signIn()) != nil else { return false }
                state.withLock { ($0.isSignedOut, $0.number) = (false, $0.number + 1) }
                return true
            }
        }
        let token = renewal.connection.tokens?.accessToken ?? ""
        guard renewal.isAhead, let end = Date.end(ofToken: token), end <= .now else { return true }
        return await renew(token, on: phone)
    }

    /// Renews a token that has ended or was refused.
    ///
    /// - Returns: Whether the request can be sent again.
    func renew(_ token: String, on phone: Phone) async -> Bool {
        guard renewal.isShared else { return await Task { await refresh(on: phone) }.value }
        return await once { [self] in
            guard renewal.connection.tokens?.accessToken == token else { return !state.withLock { $0.isSignedOut } }
            return await refresh(on: phone)
        }
    }

    /// Runs a body, or waits for one that runs. It is not cancelled with a request, whose answer a phone may lose.
    private func once(_ body: @escaping @Sendable () async -> Bool) async -> Bool {
        let (task, isOwn) = state.withLock { state in
            if let running = state.running { return (running, false) }
            let task = Task { await body() }
            state.running = task
            return (task, true)
        }
        let result = await task.value
        if isOwn { state.withLock { $0.running = nil } }
        return result
    }

    private func refresh(on phone: Phone) async -> Bool {
        let (session, refresh) = (session, renewal.refresh)
        let answer = await phone.send("auth", cut: nil, refresh)
        // An answer that says to try later says nothing about the session.
        let isLate = answer.response?.status == 429
        if !isLate, !answer.attempt.outcome.isUnknown {
            let use = TokenUse(answer.attempt, session: session, .refresh)
            phone.diary.note { $0.sessions.uses.append(use) }
        }
        if answer.attempt.outcome == .done { return true }
        let isRefused = answer.attempt.outcome.isRefused && !isLate
        // A person whose session was refused signs in, whatever the app shows.
        if isRefused || renewal.failureSignsOut { state.withLock { $0.isSignedOut = true } }
        return false
    }
}

extension Date {
    /// When an access token ends; nil for a text that is none.
    static func end(ofToken token: String) -> Date? {
        let claims = token.split(separator: ".").dropFirst().first.flatMap { Base64URL.decode($0.utf8) }
        guard let claims, let seconds = JSON(parsing: claims)?["exp"]?.integer else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
