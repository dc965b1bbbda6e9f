extension ProofSystem {
    /// Starts everything, runs `body`, and removes everything, also when the task is cancelled.
    ///
    /// - Throws: `ProofError` before anything if the folder exists.
    func whileUp<Value: Sendable>(
        report: @Sendable (String) -> Void,
        _ body: () async throws -> Value
    ) async throws -> Value {
        // Before anything that the end of a run would remove.
        try requireNewFolder()
        report("starting \(sentence) in \(path)")
        do {
            try await up()
            let result = try await body()
            await Task { await remove() }.value
            return result
        } catch {
            await Task { await remove() }.value
            throw error
        }
    }
}
