import ArgumentParser
import PostgresServer
import StackKit

/// `stack logs [name…] [--follow]`: prints the programs' logs, each line with its program's name as prefix.
struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Prints the last lines of the logs, and new ones with --follow.",
        discussion: """
            Examples:
              stack logs
              stack logs auth gateway --follow
              stack logs postgres --lines 100
            """
    )

    @OptionGroup var options: StackOptions

    @Argument(help: "The programs; all without one.")
    var names: [String] = []

    @Flag(name: .shortAndLong, help: "Keep printing new lines.")
    var follow = false

    @Option(name: [.customShort("n"), .long], help: "How many lines of each to begin with.")
    var lines = 20

    func run() async throws {
        let folder = options.folder
        let known = try options.programs().all.map(\.name) + ["postgres"]
        for name in names where !known.contains(name) {
            throw StackError("there is no program named \(name); there are \(known.joined(separator: ", "))")
        }
        let server = try options.server()
        let width = known.map(\.count).max() ?? 0
        var tails = (names.isEmpty ? known : names).map { name in
            let path = name == "postgres" ? server.log : folder.log(of: name)
            return LogTail(log: LogFile(path: path), prefix: "\(Console.pad(name, width)) | ")
        }
        for index in tails.indices { tails[index].begin(lines).forEach(Console.line) }
        while follow {
            for index in tails.indices { tails[index].next().forEach(Console.line) }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// Reads a growing log line by line; restarts from the beginning if the file was replaced by a shorter one.
struct LogTail {
    let log: LogFile
    let prefix: String
    private var position = 0
    private var unfinished: [UInt8] = []

    init(log: LogFile, prefix: String) {
        self.log = log
        self.prefix = prefix
    }

    /// The last lines so far.
    mutating func begin(_ count: Int) -> [String] {
        position = log.size
        return log.lastLines(count).map { prefix + $0 }
    }

    /// The lines completed since the last call.
    mutating func next() -> [String] {
        if log.size < position {
            position = 0
            unfinished = []
        }
        let bytes = log.bytes(from: position)
        position += bytes.count
        unfinished += bytes
        guard let end = unfinished.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let complete = unfinished[..<end]
        unfinished = Array(unfinished[(end + 1)...])
        return complete.split(separator: UInt8(ascii: "\n")).map { prefix + String(decoding: $0, as: UTF8.self) }
    }
}
