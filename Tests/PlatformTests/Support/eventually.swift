import AppClients

/// Returns as soon as a condition holds, if the suite's time limit does not come first.
func eventually(_ holds: () async throws -> Bool) async throws {
    try await waitUntil("the test goes on", every: .milliseconds(10), atMost: .seconds(3600), holds)
}

/// Repeats a call until it no longer returns 200; returns that response.
func refusal(_ call: () async throws -> ClientResponse) async throws -> ClientResponse {
    var response = try await call()
    while response.status == 200 {
        try await Task.sleep(for: .milliseconds(20))
        response = try await call()
    }
    return response
}
