/// A provider that did not answer, or not with anything that can be read. Nothing is known of the person.
struct ProviderUnavailable: Error, Sendable, Equatable {
    var provider: String
}
