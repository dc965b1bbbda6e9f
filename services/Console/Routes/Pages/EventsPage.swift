import Contracts
import Values

/// Events that wait for a subscriber or are parked, of all services.
struct EventsPage {
    let waiting: [Outboxes.Waiting]
    let visitor: Operator
    let language: Language

    /// The maximum number of rows of a service.
    private static let longest = 50

    var html: HTML {
        let silent = waiting.filter { $0.page == nil }.map(\.service.rawValue)
        let silence: HTML =
            silent.isEmpty
            ? ""
            : """
            <p class="failed">\(language("These do not answer:", "응답하지 않는 서비스:")) \(silent.joined(separator: ", "))</p>
            """
        let rows = waiting.flatMap { one in
            (one.page?.entries ?? []).prefix(Self.longest).map { row($0, of: one.service) }
        }
        guard !rows.isEmpty else {
            return "\(silence)<p class=\"none\">\(language("No event waits.", "대기 중인 이벤트가 없습니다."))</p>"
        }
        let more = waiting.filter { $0.page?.hasMore == true }.map(\.service.rawValue)
        let rest: HTML =
            more.isEmpty
            ? ""
            : """
            <p>\(language("Older ones first; there are more of:", "오래된 순서입니다. 더 있는 서비스:")) \(more.joined(separator: ", "))</p>
            """
        return """
            \(silence)\(rest)
            <table><thead><tr><th scope="col">\(language("Event", "이벤트"))</th><th scope="col">\(language("To", "받는 곳"))</th>\
            <th scope="col">\(language("Age", "경과"))</th><th scope="col">\(language("Refused", "거절"))</th>\
            <th scope="col">\(language("Why", "이유"))</th><th scope="col">\(language("Act", "조치"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private func row(_ entry: OutboxAPI.Entry, of service: ServiceName) -> HTML {
        let failed: HTML = entry.isParked ? " class=\"failed\"" : ""
        return """
            <tr\(failed)><td>\(service.rawValue) \(entry.number)<br>\(entry.name)</td><td>\(entry.subscriber)</td>\
            <td>\(Figures.duration(nanoseconds: Int64(entry.age * 1_000_000_000)))</td><td>\(entry.refusals)</td>\
            <td>\(entry.error ?? "")</td><td>\(act(entry, of: service))</td></tr>

            """
    }

    private func act(_ entry: OutboxAPI.Entry, of service: ServiceName) -> HTML {
        guard visitor.role == .act else { return "" }
        let id = "\(service.rawValue)-\(entry.number)-\(entry.subscriber)"
        return """
            <form method="post" action="\(Layout.root)/events/\(service.rawValue)/\(entry.number)/retry">
            <input type="hidden" name="form" value="\(visitor.form)">
            <label for="\(id)">\(language("Reason", "사유"))</label><input id="\(id)" name="reason" required maxlength="200">
            <button>\(language("Try now", "지금 재시도"))</button></form>
            """
    }
}
