import ArgumentParser

/// How long something runs, as in `90s`, `10m` or `1h`.
struct RunLength: ExpressibleByArgument {
    let duration: Duration

    init(seconds: Int) { duration = .seconds(seconds) }

    /// - Returns: nil for another form, for no time at all, and for more than a day.
    init?(argument: String) {
        let units = ["s": 1, "m": 60, "h": 3600]
        guard let unit = argument.last.flatMap({ units[String($0)] }), let number = Int(argument.dropLast()),
            (1...86_400).contains(number), number * unit <= 86_400
        else { return nil }
        duration = .seconds(number * unit)
    }

    var defaultValueDescription: String { "\(duration.components.seconds)s" }
}
