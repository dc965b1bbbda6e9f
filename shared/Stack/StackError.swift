/// Why a command stopped, as the one sentence that the person reads.
struct StackError: Error, CustomStringConvertible, Equatable {
    var description: String

    init(_ sentence: String) {
        description = sentence
    }
}
