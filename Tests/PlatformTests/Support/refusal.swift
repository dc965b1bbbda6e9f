import AppClients

/// Repeats a call until it no longer returns 200; returns that response.
func refusal(_ call: () async throws -> ClientResponse) async throws -> ClientResponse {
    var response = try await call()
    while response.status == 200 {
        try await Task.sleep(for: .milliseconds(20))
        response = try await call()
    }
    return response
}
