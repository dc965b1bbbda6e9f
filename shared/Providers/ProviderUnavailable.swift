package import AppWire
import ServiceHost

/// A provider that did not answer, or not with anything that can be read. Nothing is known of what it was asked.
package struct ProviderUnavailable: Error, Sendable, Equatable, ProblemConvertible {
    package var provider: String

    package init(provider: String) {
        self.provider = provider
    }

    package var problem: Problem {
        Problem(.unavailable, message: "\(provider) does not answer; try again.", retryAfter: 2)
    }
}
