extension Sequence {
    /// Runs `body` for every element, and throws the first error at the end, so that one failing row does not block the
    /// others.
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
