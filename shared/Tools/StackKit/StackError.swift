/// Why a command stopped, as one sentence for the user.
package struct StackError: Error, CustomStringConvertible, Equatable {
    package var description: String

    package init(_ sentence: String) {
        description = sentence
    }
}
