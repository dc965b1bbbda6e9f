import AppClients
import ArgumentParser
import Conformance
import Contracts
import FoundationEssentials
import StackKit

/// `stack conform --url URL`: asks a server every call of the apps' contracts.
struct ConformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Asks a server every call of the apps' contracts, and compares each answer with them.",
        discussion: """
            Knows the server by its address only, so that it may be any that claims to serve the five apps. People join,
            use every call as the apps do, and in ways that have to be refused: without a token, with a forged one, with
            unknown ids, with empty and too long texts. Compared are statuses, codes, bodies, media types, frames of sockets,
            and orders where an app relies on them. The accounts are new ones and stay, or are withdrawn.

            People sign in by the sandbox, which stands in for Kakao, Apple, Google, PortOne and text messages. A server with
            others gets tokens from a file; accounts in it are not signed out or withdrawn:
              {"keys": {"anlaka": "…"},
               "tokens": {"moup": {"owner": {"accessToken": "…", "refreshToken": "…"}, "worker": {…}},
                          "seatcatcher": {"first": {…}, "second": {…}}}}
            Each app but MOUP has a first and a second person. Sockets are asked at addresses with http:// only. Exits with 1
            if an answer deviates.

            Examples:
              stack conform
              stack conform --app moup --app culture
              stack conform --url https://api.example.com --credentials tokens.json --report conformance.txt
            """
    )

    @OptionGroup var options: StackOptions

    @Option(help: "The server's address; that of the local installation's gateway without it.") var url: String?
    @Option(help: "The sandbox of the server; the local installation's without it.") var sandbox: String?
    @Option(name: .customLong("app"), help: "An app, as in moup; repeated for several. All without it.")
    var names: [String] = []
    @Option(help: "A file with tokens and keys, for a server with other providers.") var credentials: String?
    @Option(help: "A file for the tables.") var report: String?

    func validate() throws {
        let known = App.allCases.map(\.rawValue)
        for name in names where !known.contains(name) {
            throw ValidationError("there is no app \(name); there are \(known.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let programs = try options.programs()
        var address = url ?? programs.gateway.url
        if address.hasSuffix("/") { address.removeLast() }
        let target = await ConformanceTarget(
            url: address,
            sandbox: SandboxClient(sandbox ?? programs.sandboxURL),
            credentials: try credentials.map { try .init(json: Self.read($0)) } ?? .init()
        ).withReachableSandbox()
        try await target.probe()
        Console.line("Asking \(target.url)\(target.sandbox == nil ? ", without a sandbox" : "")")
        var results = ConformanceReport()
        for app in App.allCases where names.isEmpty || names.contains(app.rawValue) {
            let start = ContinuousClock.now
            Console.progress(app.rawValue, "\(try Contract(of: app).calls.count) calls")
            let own = try await AppScenario.play(app, on: target) { Console.progress(app.rawValue, $0) }
            results.add(app, own)
            Console.line(
                "\n\(ConformanceReport.sum(app.rawValue, own))  \(Int((ContinuousClock.now - start) / .seconds(1))) s"
            )
            for line in ConformanceReport.table(own) { Console.line(line) }
            Console.line()
        }
        for line in results.sums { Console.line(line) }
        if let report { try results.text(of: target.url).write(toFile: report, atomically: true, encoding: .utf8) }
        guard results.deviations == 0 else { throw ExitCode(1) }
    }

    private static func read(_ path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw StackError("\(path) cannot be read")
        }
    }
}
