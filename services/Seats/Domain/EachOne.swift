extension Sequence {
    /// Does something with every element, also when it fails with some; then the first failure is thrown. What is due must
    /// not wait behind a row that cannot be dealt with.
    func attemptEach(_ body: (Element) async throws -> Void) async throws {
        var failure: (any Error)?
        for element in self {
            do {
                try await body(element)
            } catch {
                try Task.checkCancellation()
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
