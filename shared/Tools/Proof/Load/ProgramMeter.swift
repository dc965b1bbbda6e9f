import Contracts
import Glibc
import PostgresServer
import StackKit

/// The processor time of an installation's programs, and of PostgreSQL by the service whose connections use it.
struct ProgramMeter {
    /// The names of what is not a part of the system.
    static let outside: Set<String> = [generator, "sandbox"]
    static let generator = "load generator"
    /// PostgreSQL's processes that serve no service, such as its checkpointer.
    static let database = "PostgreSQL"

    static func database(of service: String) -> String { "PostgreSQL for \(service)" }

    /// PostgreSQL's processor time in one sum, beside that of the programs.
    static func withOneDatabase(_ times: [String: Double]) -> [String: Double] {
        Dictionary(times.map { ($0.hasPrefix(database) ? database : $0, $1) }, uniquingKeysWith: +)
    }

    private let folder: LocalFolder
    private let names: [String]
    private let server: PostgresServer
    /// The ticks of each process when it was read last.
    private var last: [Int32: (start: UInt64, ticks: UInt64)] = [:]
    private var isFirst = true

    init(_ stack: ProofStack) throws {
        folder = stack.folder
        names = try stack.programs.all.map(\.name) + ["supervisor"]
        server = try PostgresServer(directory: folder.postgres)
    }

    /// The seconds that each program has used since the last call; none at the first one. What a process used between the
    /// last reading and its end is missing.
    mutating func read() -> [String: Double] {
        var (times, now): ([String: Double], [Int32: (start: UInt64, ticks: UInt64)]) = ([:], [:])
        for (name, process) in processes {
            guard let stat = ProcessStat(of: process) else { continue }
            let known = last[process].flatMap { $0.start == stat.startTicks ? $0.ticks : nil }
            now[process] = (stat.startTicks, stat.processorTicks)
            let used = stat.processorTicks - min(known ?? 0, stat.processorTicks)
            if !isFirst { times[name, default: 0] += Double(used) / Self.ticksPerSecond }
        }
        (last, isFirst) = (now, false)
        return times
    }

    /// The bytes of memory of each program of the system now. PostgreSQL's buffers are not among them: they are filled up to
    /// the size that they are given.
    var memory: [String: Int] {
        processes.filter { !Self.outside.contains($0.name) }.reduce(into: [:]) { sum, process in
            sum[process.name, default: 0] += ProcessMemory.proportionalWithoutBuffers(process.id) ?? 0
        }
    }

    private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

    private var processes: [(name: String, id: Int32)] {
        names.compactMap { name in folder.pidFile(of: name).process.map { (name, $0.pid) } }
            + server.processes.map { (Self.name(of: $0.title), $0.id) } + [(Self.generator, getpid())]
    }

    /// The name for a process of PostgreSQL with a title such as `postgres: chat madang [local] idle`.
    static func name(of title: String) -> String {
        let words = title.split(separator: " ")
        guard words.count > 2, words[0] == "postgres:", ServiceName(rawValue: String(words[1])) != nil else {
            return database
        }
        return database(of: String(words[1]))
    }
}
