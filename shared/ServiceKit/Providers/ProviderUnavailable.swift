package import Apps

/// The provider did not respond, or its response was invalid. Whether the call took effect is unknown.
package struct ProviderUnavailable: Error, Sendable, Equatable, ProblemConvertible {
    package var provider: String

    package init(provider: String) {
        self.provider = provider
    }

    package var problem: Problem {
        Problem(.unavailable, message: "\(provider) does not answer; try again.", retryAfter: 2)
    }
}
