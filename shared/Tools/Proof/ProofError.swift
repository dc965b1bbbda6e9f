/// Why a run cannot begin or go on, as one sentence that says what to do.
package struct ProofError: Error, CustomStringConvertible, Equatable {
    package var description: String

    package init(_ sentence: String) { description = sentence }
}
