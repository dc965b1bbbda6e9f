import Glibc

/// Replaces this process by another program, which keeps the terminal, the environment and the process id.
package enum ReplacedProcess {
    /// Does not return if the program can be started.
    ///
    /// - Parameter words: The path of the program, and its arguments.
    /// - Throws: `StackError` if it cannot be started.
    package static func run(_ words: [String]) throws -> Never {
        let pointers = words.map { strdup($0) } + [nil]
        execv(words.first ?? "", pointers)
        throw StackError("\(words.first ?? "") cannot be started: \(String(cString: strerror(errno)))")
    }
}
