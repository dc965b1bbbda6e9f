/// A response or message that an app's client did not expect, as one sentence.
package struct ClientError: Error, CustomStringConvertible, Equatable {
    package var description: String

    package init(_ sentence: String) {
        description = sentence
    }
}
