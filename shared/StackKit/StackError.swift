/// Why a command stopped, as the one sentence that the person reads.
package struct StackError: Error, CustomStringConvertible, Equatable {
    package var description: String

    package init(_ sentence: String) {
        description = sentence
    }
}
