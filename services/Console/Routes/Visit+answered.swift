import ServiceKit

extension Visit {
    /// What a service answers; nil if it does not, or not as expected.
    ///
    /// - Throws: All errors but `InternalCallError`.
    func answered<Value>(_ call: () async throws -> Value) async throws -> Value? {
        do {
            return try await call()
        } catch is InternalCallError {
            return nil
        }
    }
}
