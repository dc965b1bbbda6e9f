/// A set of time spans, joined where they overlap.
struct TimeSpans {
    private var spans: [(begun: Moment, ended: Moment)] = []

    init(_ parts: [(begun: Moment, ended: Moment)]) {
        for part in parts.sorted(by: { $0.begun < $1.begun }) {
            if let last = spans.last, part.begun <= last.ended {
                spans[spans.count - 1].ended = max(last.ended, part.ended)
            } else {
                spans.append(part)
            }
        }
    }

    /// Whether one of them overlaps with a time.
    func overlap(_ begun: Moment, _ ended: Moment) -> Bool {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].ended < begun { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].begun <= ended
    }
}
