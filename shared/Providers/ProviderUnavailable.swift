/// A provider that did not answer, or not with anything that can be read. Nothing is known of what it was asked.
package struct ProviderUnavailable: Error, Sendable, Equatable {
    package var provider: String

    package init(provider: String) {
        self.provider = provider
    }
}
