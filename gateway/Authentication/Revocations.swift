import Contracts
import FoundationEssentials
import Synchronization

/// Sessions that ended before their access tokens expired. An entry is kept until no such token is valid any more.
final class Revocations: Sendable {
    private struct Entry {
        var cause: AuthAPI.Revocations.Cause
        var until: Int64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The sessions of the latest additions.
        var latest: [String] = []
        /// When expired entries are next removed, in seconds since 1970.
        var nextPruning = Int64.min
    }

    private static let pruningInterval: Int64 = 60
    private static let latestLimit = 4_096
    /// How long after its expiry an access token is still accepted, in seconds.
    private let leeway: Int64
    private let observers = Mutex<[@Sendable (Set<String>) -> Void]>([])
    private let state = Mutex(State())
    private let changes = Atomic<Int>(0)
    private let loaded = Atomic(false)

    /// - Parameter leeway: How long after its expiry an access token is still accepted, in seconds.
    init(leeway: Int64) {
        self.leeway = leeway
    }

    /// The number of sessions that were added, by which event loops notice that tokens which they have verified may be revoked.
    var revision: Int { changes.load(ordering: .acquiring) }

    /// Adds the sessions that ended before this process began, once.
    ///
    /// - Parameter page: Requests the revocations after a number.
    func load(page: (_ number: Int64) async throws -> AuthAPI.Revocations) async throws {
        guard !loaded.load(ordering: .acquiring) else { return }
        var (last, isComplete): (Int64, Bool) = (0, false)
        while !isComplete {
            let answer = try await page(last)
            add(answer.revocations)
            (isComplete, last) = (answer.last <= last, answer.last)
        }
        loaded.store(true, ordering: .releasing)
    }

    /// Calls a closure with the sessions of each addition from now on, on any thread.
    func observe(_ observer: @escaping @Sendable (_ sessions: Set<String>) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// - Parameter now: Seconds since 1970.
    func add(
        _ revocations: [AuthAPI.Revocations.Revocation],
        now: Int64 = Int64(Date.now.timeIntervalSince1970)
    ) {
        guard !revocations.isEmpty else { return }
        insert(revocations, now)
        let sessions = Set(revocations.map(\.session))
        for observer in observers.withLock({ $0 }) { observer(sessions) }
    }

    private func insert(_ revocations: [AuthAPI.Revocations.Revocation], _ now: Int64) {
        state.withLock { state in
            // The answer to a request and auth's announcement name the same session.
            let new = revocations.map(\.session).filter { state.entries[$0] == nil }
            for revocation in revocations {
                let until = max(revocation.until + leeway, state.entries[revocation.session]?.until ?? .min)
                state.entries[revocation.session] = Entry(cause: revocation.cause, until: until)
            }
            if state.latest.count + new.count > Self.latestLimit { state.latest = [] }
            state.latest += new.suffix(Self.latestLimit)
            changes.wrappingAdd(new.count, ordering: .releasing)
            guard now >= state.nextPruning else { return }
            state.nextPruning = now + Self.pruningInterval
            state.entries = state.entries.filter { $0.value.until > now }
        }
    }

    /// The reason why a session ended, or nil if it is not known to have ended.
    func cause(_ session: String) -> AuthAPI.Revocations.Cause? {
        state.withLock { $0.entries[session]?.cause }
    }

    /// The sessions that were added after a revision; nil if they are too many to be known one by one.
    func added(after revision: Int) -> (sessions: Set<String>?, revision: Int) {
        state.withLock { state in
            let current = self.revision
            let count = current - revision
            return (count <= state.latest.count ? Set(state.latest.suffix(count)) : nil, current)
        }
    }

    /// What was added and is still of use; expiries are without the leeway, as those that are added.
    var all: [AuthAPI.Revocations.Revocation] {
        state.withLock(\.entries).map {
            AuthAPI.Revocations.Revocation(session: $0, cause: $1.cause, until: $1.until - leeway)
        }
    }

    var count: Int { state.withLock { $0.entries.count } }
}
