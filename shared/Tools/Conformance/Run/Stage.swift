import AppClients
import Contracts

/// What a scenario of an app works with: the contract, the server, and the results that it fills.
package struct Stage: Sendable {
    let contract: Contract
    let target: ConformanceTarget
    let results: CallResults
    /// Is called with the name of each part before it is played.
    var progress: @Sendable (String) -> Void = { _ in }

    var app: App { contract.app }

    /// Plays a part of a scenario. A part that cannot go on ends alone; the others are played.
    func part(_ name: String, isShown: Bool = true, _ play: () async throws -> Void) async throws {
        if isShown { progress(name) }
        do {
            try await play()
        } catch let error as ConformanceError {
            throw error
        } catch {
            results.stop(name, error)
        }
    }

    /// A user who has not signed in.
    func stranger(_ name: String = "") -> Person {
        let key = target.credentials.key(of: app).map { ["SeSACKey": $0] } ?? [:]
        let prefix = [.anlaka, .culture].contains(app) ? "" : "Bearer "
        let connection = AppConnection(target.url, name: name, headers: key, tokenPrefix: prefix)
        return Person(stage: self, connection: connection)
    }

    /// A user whose tokens the credentials have; nil if they have none.
    func lent(_ name: String) -> Person? {
        guard let tokens = target.credentials.tokens(of: app, name) else { return nil }
        var person = stranger(name)
        person.connection.tokens = tokens
        person.isLent = true
        return person
    }

    /// The stand-in for providers.
    ///
    /// - Throws: `ClientError` if the server has none.
    func sandbox(for what: String) throws -> SandboxClient {
        guard let sandbox = target.sandbox else {
            throw ClientError("\(what) needs the sandbox, or tokens in --credentials")
        }
        return sandbox
    }

    /// Records a frame that came from a socket.
    func received(_ call: String, _ body: some Sequence<UInt8>, case name: String? = nil, as check: String = "frame") {
        guard let call = contract[call] else { return }
        results.record(call.name, as: check, ShapeCheck.deviations(Array(body), from: call.response, case: name))
    }

    /// Records what a scenario has compared itself.
    func compare(_ call: String, _ holds: Bool, expected: String, came: String, as check: String) {
        results.record(call, as: check, holds ? [] : [Deviation("content", expected: expected, came: came)])
    }
}
