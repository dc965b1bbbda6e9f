import StackKit

/// Lets a process open no more descriptors than it has, by prlimit(1) of util-linux.
struct DescriptorFaults: Sendable {
    let processes: ProcessFaults

    /// A sentence if that is not possible here; nil if it is.
    static var obstacle: String? {
        Executables.find("prlimit") == nil ? "prlimit is not installed (apt-get install util-linux)." : nil
    }

    func limit(_ name: String) async throws -> FaultAction {
        let process = try processes.process(name)
        let former = try await Self.limit(of: process)
        return FaultAction {
            let open = KernelFile.names("/proc/\(process.pid)/fd").count
            guard open > 0 else { throw FaultNotApplied("the descriptors of \(name) cannot be counted.") }
            try await Self.set(open, for: process)
            return "\(name), process \(process.pid), could not open more than its \(open) descriptors."
        } end: {
            try await Self.set(former, for: process)
        }
    }

    /// The soft limit.
    static func limit(of process: ProcessIdentity) async throws -> Int {
        let words = ["prlimit", "--pid", "\(process.pid)", "--nofile", "--output=SOFT", "--noheadings", "--raw"]
        let (succeeded, output) = try await SystemCommand.attempt(words)
        guard succeeded, let limit = Int(output.filter { !$0.isWhitespace }) else {
            throw FaultNotApplied("the limit of process \(process.pid) cannot be read: \(output)")
        }
        return limit
    }

    /// No effect on a process that has ended.
    private static func set(_ limit: Int, for process: ProcessIdentity) async throws {
        guard process.isAlive else { return }
        let words = ["prlimit", "--pid", "\(process.pid)", "--nofile=\(limit):"]
        guard try await SystemCommand.attempt(words).succeeded || !process.isAlive else {
            throw StackError("the limit of process \(process.pid) cannot be set to \(limit)")
        }
    }
}
