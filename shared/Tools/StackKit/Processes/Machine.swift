/// The machine that a run was made on.
package struct Machine: Sendable, Equatable, Codable {
    /// Such as "Intel(R) Xeon(R) CPU @ 2.20GHz"; empty if the kernel does not say it.
    package var processor: String
    /// Those that this process may use.
    package var cores: Int
    /// Bytes that this process may use.
    package var memory: Int
    /// Bytes that programs can get.
    package var freeMemory: Int
    /// The version of the kernel.
    package var kernel: String

    /// This machine, by `/proc` and the limit of the control group.
    package static var current: Machine {
        Machine(
            cpuinfo: KernelFile.text("/proc/cpuinfo") ?? "",
            meminfo: KernelFile.text("/proc/meminfo") ?? "",
            memoryLimit: KernelFile.text("/sys/fs/cgroup/memory.max") ?? "",
            release: KernelFile.text("/proc/sys/kernel/osrelease") ?? "",
            cores: count(ofList: value("Cpus_allowed_list", in: KernelFile.text("/proc/self/status") ?? "") ?? "0")
        )
    }

    /// - Parameters:
    ///   - cpuinfo: The text of `/proc/cpuinfo`.
    ///   - meminfo: The text of `/proc/meminfo`.
    ///   - memoryLimit: The text of `memory.max` of control groups: bytes, or anything else for no limit.
    ///   - release: The version of the kernel.
    package init(cpuinfo: String, meminfo: String, memoryLimit: String = "", release: String, cores: Int) {
        processor = Self.value("model name", in: cpuinfo) ?? ""
        self.cores = cores
        memory = min(Self.bytes("MemTotal", in: meminfo), Int(memoryLimit.prefix { !$0.isWhitespace }) ?? .max)
        freeMemory = Self.bytes("MemAvailable", in: meminfo)
        kernel = String(release.prefix { !$0.isWhitespace })
    }

    /// What PostgreSQL keeps of tables in memory of its own, as its setting `shared_buffers`: an eighth of the memory, since the
    /// programs run beside it, between 128 MB, which is PostgreSQL's default, and 8 GB.
    package var sharedBuffers: String { "\(min(max(memory >> 3, 128 << 20), 8 << 30) >> 20)MB" }

    /// In one line.
    package var description: String {
        let name = processor.isEmpty ? "" : "\(processor), "
        return "\(name)\(cores) cores, \((memory + (1 << 29)) >> 30) GB of memory, Linux \(kernel)"
    }

    /// Whether times that were measured on both can be compared: the processor, the number of cores, the gigabytes of
    /// memory and the kernel are the same.
    package func isLike(_ other: Machine) -> Bool { description == other.description }

    /// The number of a list such as "0-3,6".
    package static func count(ofList list: String) -> Int {
        list.split(separator: ",").reduce(0) { sum, part in
            let ends = part.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last else { return sum }
            return sum + last - first + 1
        }
    }

    private static func value(_ name: String, in text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let line, let colon = line.firstIndex(of: ":") else { return nil }
        return String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
    }

    /// Of a line such as "MemTotal:       24731264 kB".
    private static func bytes(_ name: String, in text: String) -> Int {
        value(name, in: text).flatMap { $0.split(separator: " ").first }.flatMap { Int($0) }.map { $0 << 10 } ?? 0
    }
}
