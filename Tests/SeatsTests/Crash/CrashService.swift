import Authentication
import Contracts
import FoundationEssentials
import NIOHTTP1
import Synchronization
import TestKit

/// Two copies of the service, as the gateway calls them.
struct CrashService: Sendable {
    static let copies = ["first", "second"]

    let harness: CrashHarness
    /// Signs the passengers' tokens.
    let key: TestKey
    let outages = DatabaseOutages()

    func url(_ scheme: String, _ copy: Int) -> String { harness.url(Self.copies[copy], scheme: scheme) }

    func token(_ account: AccountID) throws -> String { try key.token { $0.sub = "\(account)" } }

    /// The header that the gateway adds to a request.
    func identity() -> (String, String) { SocketService.identity()[0] }

    /// - Returns: nil if the copy was killed before it answered.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        _ account: AccountID,
        to copy: Int,
        json: String? = nil
    ) async -> CrashHarness.Answer? {
        let identity = InternalIdentity(caller: .gateway, app: .seatcatcher, account: account, session: "session")
        return try? await harness.call(Self.copies[copy], method, path, json: json, as: (identity, .seats))
    }
}

/// When PostgreSQL was down, so that 503 was a permitted answer.
final class DatabaseOutages: Sendable {
    private struct State {
        var count = 0
        var isDown = false
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0 = State(count: $0.count + 1, isDown: true) } }
    func end() { state.withLock { $0.isDown = false } }

    /// A mark of the present; `none(since:)` is true if PostgreSQL has been up since.
    var mark: Int { state.withLock { $0.isDown ? -1 : $0.count } }

    func none(since mark: Int) -> Bool { state.withLock { !$0.isDown && $0.count == mark } }
}
