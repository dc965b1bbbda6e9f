import AppClients
import Values

/// What a person does next.
struct NextAct: Sendable {
    var kind: ActKind
    /// Sends the request, keeps what the app needs of its answer, and returns the answer's status.
    var status: @Sendable () async throws -> Int

    init(_ kind: ActKind, status: @escaping @Sendable () async throws -> Int) {
        (self.kind, self.status) = (kind, status)
    }

    init(_ kind: ActKind, _ send: @escaping @Sendable () async throws -> ClientResponse) {
        self.init(kind, status: { try await send().status })
    }
}

/// A person whose acts are due at times of their own, whatever becomes of the acts before.
protocol LoadPerson: Sendable {
    /// The key of the person's habits in `people.json`.
    var habits: String { get }

    /// Prepares an act. What happens here is outside of the apps, such as a payment in the provider's window, and its time
    /// does not count.
    ///
    /// - Parameter name: One of the habits.
    /// - Returns: nil if the person cannot do it now.
    func next(_ name: String, _ random: inout SplitMix) async -> NextAct?

    /// Keeps the app's socket open until the task is cancelled.
    func stayConnected(_ record: LoadRecord) async
}

extension LoadPerson {
    func stayConnected(_ record: LoadRecord) async {}
}
