/// Runs `body` again and again until the task is cancelled, with a short pause after each time, also when it throws.
func untilCancelled(_ body: () async throws -> Void) async {
    while !Task.isCancelled {
        try? await body()
        try? await Task.sleep(for: .milliseconds(100))
    }
}
