/// A response or message that an app's client did not expect, as one sentence.
package struct ClientError: Error, CustomStringConvertible, Equatable {
    package var description: String
    /// The seconds after which a server that was busy asks for the request again.
    package var retryAfter: Int?

    package init(_ sentence: String, retryAfter: Int? = nil) {
        description = sentence
        self.retryAfter = retryAfter
    }
}
