/// Why the private server could not be set up, started or stopped: one or two sentences that suggest a solution.
package struct PostgresServerError: Error, CustomStringConvertible, Equatable {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
