extension Platform {
    /// Returns as soon as a condition holds.
    func eventually(_ holds: () async throws -> Bool) async throws {
        while try await !holds() { try await Task.sleep(for: .milliseconds(20)) }
    }
}
