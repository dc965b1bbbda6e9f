import Values

extension LoadReport {
    /// Whether less was held than what was found, to see what grows with time.
    var isSoak: Bool { control.share < 1 }

    /// The minutes in which the number was held, without the first, in which caches fill.
    var minutes: [LoadMinute] {
        let held = windows.filter { $0.isHeld && !$0.isSettling && $0.people == control.people }
        return Array(LoadMinute.minutes(of: held, since: start).dropFirst())
    }

    /// Bytes; nil for too few minutes.
    var memoryTrend: MinuteTrend? {
        MinuteTrend(minutes.compactMap { minute in minute.totalMemory.map { (minute.number, Double($0)) } })
    }

    /// Milliseconds; nil for too few minutes.
    var p99Trend: MinuteTrend? {
        MinuteTrend(minutes.compactMap { minute in minute.p99.map { (minute.number, $0) } })
    }

    /// What counts as growth, in parts of the mean.
    private static let (memoryLimit, p99Limit) = (0.05, 0.2)

    var soakVerdict: String {
        guard control.phase == .holding, !counted.isEmpty else { return "no number of people was held." }
        let part = "\(people.grouped) people, \(Figure.text(control.share)) of what was found,"
        let good = counted.count { $0.breaches.isEmpty }
        guard let memory = memoryTrend, let p99 = p99Trend else {
            return
                "\(part) were served within every threshold in \(good) of \(counted.count) windows; these are too few "
                + "minutes to see what grows."
        }
        let growing = [
            memory.share > Self.memoryLimit ? "memory" : nil, p99.share > Self.p99Limit ? "p99" : nil,
        ].compactMap(\.self)
        let trend = growing.isEmpty ? "neither memory nor p99 grew" : "\(growing.joined(separator: " and ")) grew"
        return "\(part) were served within every threshold in \(good) of \(counted.count) windows; \(trend)."
    }

    /// A line for each minute, and the trends.
    var soakText: [String] {
        let rows = minutes.map { minute in
            [
                "\(minute.number)", minute.people.grouped,
                Figure.text(Double(minute.acts.count) / max(minute.seconds, 1)),
                Figure.text(minute.p50 ?? 0), Figure.text(minute.p99 ?? 0),
                minute.totalMemory.map { Figure.text(Self.megabytes($0)) } ?? "–",
            ]
        }
        return [""] + Self.aligned([["minute", "people", "acts/s", "p50 ms", "p99 ms", "memory MB"]] + rows) + [
            "", Self.line("Memory", memoryTrend, scale: 1 / 1_048_576, "MB"),
            Self.line("p99", p99Trend, scale: 1, "ms"),
        ] + programsText
    }

    /// The memory of each program in the first and the last minute, those first that grew most.
    private var programsText: [String] {
        let read = minutes.filter { !$0.memory.isEmpty }
        guard let first = read.first?.memory, let last = read.last?.memory, read.count > 1 else { return [] }
        let changes = last.map { name, bytes in (name: name, first: first[name] ?? 0, last: bytes) }
        let sorted = changes.sorted { ($1.last - $1.first, $0.name) < ($0.last - $0.first, $1.name) }
        let texts = sorted.map { change in
            "\(change.name) \(Figure.text(Self.megabytes(change.first))) → \(Figure.text(Self.megabytes(change.last)))"
        }
        return ["Memory in MB, without PostgreSQL's buffers, first and last minute: \(texts.joined(separator: ", "))."]
    }

    private static func line(_ name: String, _ trend: MinuteTrend?, scale: Double, _ unit: String) -> String {
        guard let trend else { return "\(name): too few minutes for a trend." }
        let percent = (trend.share * 1000).rounded() / 10
        return
            "\(name): \(Figure.text(trend.perHour * scale)) \(unit) more in an hour, \(percent) % of its mean in these minutes."
    }

    private static func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1_048_576 }
}
