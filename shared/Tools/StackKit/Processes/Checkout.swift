/// The checkout that this program was built in.
package enum Checkout {
    /// The commit, with `-dirty` if files differ from it; nil for a program elsewhere.
    package static func commit() async -> String? {
        let git = ["git", "-C", Executables.folder, "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"]
        let answer = try? await SystemCommand.attempt(git)
        return answer.flatMap { $0.succeeded ? $0.output.split(separator: "\n").first.map(String.init) : nil }
    }
}
