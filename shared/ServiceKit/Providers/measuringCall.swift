import Metrics

/// Counts and times a call of an external provider.
///
/// - Parameters:
///   - provider: The provider's name.
///   - call: Returns what it has got, and the status of the response.
package func measuringCall<Value>(
    of provider: String,
    _ call: () async throws -> (value: Value, status: Int)
) async throws -> Value {
    let start = ContinuousClock.now
    func record(_ outcome: ProviderOutcome) {
        let facts = [("provider", provider), ("outcome", outcome.rawValue)]
        Counter(label: "provider_calls_total", dimensions: facts).increment()
        Timer(label: "provider_call_seconds", dimensions: [("provider", provider)]).record(duration: .now - start)
    }
    do {
        let (value, status) = try await call()
        record(ProviderOutcome(status: status))
        return value
    } catch {
        // A call that was given up says nothing about the provider.
        if !Task.isCancelled { record(.unavailable) }
        throw error
    }
}

private enum ProviderOutcome: String {
    case answered
    /// 4xx but 429.
    case refused
    /// 429, 5xx, or no response in time.
    case unavailable

    init(status: Int) {
        switch status {
        case 429, 500...: self = .unavailable
        case 400..<500: self = .refused
        default: self = .answered
        }
    }
}
