extension Platform {
    /// Returns as soon as something holds, which takes a moment.
    func eventually(_ holds: () async throws -> Bool) async throws {
        while try await !holds() { try await Task.sleep(for: .milliseconds(20)) }
    }
}
