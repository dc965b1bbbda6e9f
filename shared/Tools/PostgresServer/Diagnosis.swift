/// Converts the output of PostgreSQL's programs to a sentence that suggests a solution.
enum Diagnosis {
    static func isPortTaken(_ output: String) -> Bool {
        output.contains("Address already in use") || output.contains("Is another postmaster already running on port")
    }

    /// Whether the system did not give the memory for PostgreSQL's buffers.
    static func isMemoryRefused(_ output: String) -> Bool {
        output.contains("could not map anonymous shared memory")
    }

    static func error(of output: String, doing what: String, in directory: String, port: Int? = nil)
        -> PostgresServerError
    {
        if output.contains("No space left on device") {
            return PostgresServerError("The disk that holds \(directory) is full. Free some space, then try again.")
        }
        if isPortTaken(output) {
            let port = port.map { " \($0)" } ?? ""
            return PostgresServerError(
                "Port\(port) on 127.0.0.1 is taken. End the program that uses it, or choose another port."
            )
        }
        if output.contains("not compatible with this version") {
            return PostgresServerError(
                "The database cluster in \(directory) was made by another version of PostgreSQL. "
                    + "Remove the directory to create a new one, or install that version."
            )
        }
        let lines = output.split(whereSeparator: \.isNewline).suffix(5).joined(separator: "\n  ")
        return PostgresServerError("Cannot \(what) in \(directory). PostgreSQL printed:\n  \(lines)")
    }
}
