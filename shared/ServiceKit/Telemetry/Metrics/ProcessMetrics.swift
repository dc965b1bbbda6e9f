import FoundationEssentials
import Glibc

/// The metrics of the process itself, under the names that Prometheus' client libraries use, read when they are asked for
/// (proc(5)).
struct ProcessMetrics {
    private struct Fixed: Metric {
        var kind: String
        var value: String

        var samples: [MetricSample] { [MetricSample(value: value)] }
    }

    static var all: [(name: String, metric: any Metric)] {
        var metrics: [(String, any Metric)] = []
        func add(_ name: String, _ value: (some CustomStringConvertible)?, kind: String = "gauge") {
            if let value { metrics.append((name, Fixed(kind: kind, value: "\(value)"))) }
        }
        // The second field, the name, is in parentheses and may have spaces; the third is the first of these.
        let fields = text("/proc/self/stat")?.split(separator: ")").last?.split(separator: " ").map(String.init) ?? []
        func field(_ number: Int) -> Double? { number - 3 < fields.count ? Double(fields[number - 3]) : nil }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        let processorTime = field(14).flatMap { user in field(15).map { (user + $0) / ticks } }
        add("process_cpu_seconds_total", processorTime, kind: "counter")
        add("process_threads", field(20).map { Int($0) })
        add("process_virtual_memory_bytes", field(23).map { Int($0) })
        add("process_resident_memory_bytes", field(24).map { Int($0) * Int(getpagesize()) })
        add("process_start_time_seconds", field(22).flatMap { start in bootTime.map { $0 + start / ticks } })
        add("process_open_fds", (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        add("process_max_fds", limit.rlim_cur)
        return metrics
    }

    /// When the machine started, in seconds since 1970.
    private static let bootTime = text("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
        .flatMap { Double($0.dropFirst("btime ".count)) }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
