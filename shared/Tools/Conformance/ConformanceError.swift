/// Why a contract cannot be read or a server cannot be checked, as one sentence.
package struct ConformanceError: Error, CustomStringConvertible, Equatable {
    package var description: String

    package init(_ sentence: String) { description = sentence }
}
