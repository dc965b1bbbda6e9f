import ArgumentParser
import Contracts
import FoundationEssentials
import StackKit

/// `stack console --name kim --role act`: prints an address that signs an operator in to the console.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Prints an address that signs in to the console, once and within ten minutes.",
        discussion: """
            The console shows what happens in Madang, from the picture of all programs to the story of one request. It is
            at the gateway's port for operators, which must not be public: reach it through a tunnel, or a proxy of yours.
            Examples:
              stack console
              stack console --name kim --role look
            """
    )

    @OptionGroup var options: StackOptions

    @Option(help: "The operator's name, which acts are recorded with.")
    var name = "operator"

    @Option(help: "look: sees all pages; act: changes things, too.")
    var role = "act"

    func run() async throws {
        let address = try await ConsoleAddress(programs: options.programs(), calls: options.internalCalls)
            .invite(name, role: role)
        Console.line(address)
    }
}

/// The console's address at the gateway.
struct ConsoleAddress {
    let programs: Programs
    let calls: InternalCalls

    /// - Returns: An address that signs in once.
    /// - Throws: `StackError` if the console refuses, or does not answer.
    func invite(_ name: String, role: String) async throws -> String {
        let body = try JSONEncoder().encode(ConsoleAPI.Invitation(name: name, role: role))
        let answer = try await calls.post(.console, ConsoleAPI.Invitation.path, [UInt8](body))
        guard let invitation = answer.value(as: ConsoleAPI.Invitation.Answer.self) else {
            throw StackError("the console refuses: \(answer.message)")
        }
        return "http://127.0.0.1:\((programs.gateway.adminPort ?? programs.gateway.port).number)\(invitation.path)"
    }
}
