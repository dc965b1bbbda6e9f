import Contracts
import Values

/// What all services have in their databases, how long it is kept, and which statements take most time.
struct DataPage {
    let databases: [(service: ServiceName, answer: OperatorsAPI.Data?)]
    let statements: [StatementStore.Total]
    let language: Language

    /// The number of tables of a service that are shown.
    private static let longest = 12

    var html: HTML {
        """
        \(silence)
        <h2>\(language("Statements that took most time in the last one to two hours", "최근 한두 시간에 가장 오래 걸린 문장"))</h2>
        \(slowest)
        <h2>\(language("Running for a second or more", "1초 넘게 실행 중"))</h2>
        \(running)
        <h2>\(language("Connections", "연결"))</h2>
        \(connections)
        <h2>\(language("Tables", "테이블"))</h2>
        \(databases.map(tables))
        """
    }

    private var silence: HTML {
        let silent = databases.filter { $0.answer == nil }.map(\.service.rawValue)
        guard !silent.isEmpty else { return "" }
        return """
            <p class="failed">\(language("These do not answer:", "응답하지 않는 서비스:")) \(silent.joined(separator: ", "))</p>
            """
    }

    private var nothing: HTML { "<p class=\"none\">\(language("None.", "없습니다."))</p>" }

    private var slowest: HTML {
        guard !statements.isEmpty else { return nothing }
        let rows = statements.map { one -> HTML in
            let mean = one.microseconds / max(one.count, 1)
            return """
                <tr><td>\(one.program)</td><td>\(one.name)</td><td>\(one.count)</td><td>\(time(one.microseconds))</td>\
                <td>\(time(mean))</td><td>\(time(one.longest))</td></tr>

                """
        }
        return """
            <table><thead><tr><th scope="col">\(language("Program", "프로그램"))</th>\
            <th scope="col">\(language("Statement", "문장"))</th><th scope="col">\(language("Runs", "횟수"))</th>\
            <th scope="col">\(language("Together", "합계"))</th><th scope="col">\(language("Mean", "평균"))</th>\
            <th scope="col">\(language("Longest", "최장"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func time(_ microseconds: Int) -> String { Figures.duration(nanoseconds: Int64(microseconds) * 1000) }

    private var running: HTML {
        let rows = databases.flatMap { service, answer in
            (answer?.running ?? []).map { one -> HTML in
                """
                <tr><td>\(service.rawValue)</td><td>\(Figure.text(one.age)) s</td><td>\(one.waitsFor ?? "")</td>\
                <td><code>\(one.text)</code></td></tr>

                """
            }
        }
        guard !rows.isEmpty else { return nothing }
        return """
            <table><thead><tr><th scope="col">\(language("Service", "서비스"))</th><th scope="col">\(language("For", "경과"))</th>\
            <th scope="col">\(language("Waits for", "대기"))</th><th scope="col">\(language("Statement", "문장"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private var connections: HTML {
        let rows = databases.flatMap { service, answer in
            (answer?.connections ?? []).map { one -> HTML in
                """
                <tr><td>\(service.rawValue)</td><td>\(one.state)</td><td>\(one.count)</td><td>\(one.waiting)</td>\
                <td>\(one.oldest.map { "\(Figure.text($0)) s" } ?? "–")</td></tr>

                """
            }
        }
        let most = databases.compactMap { $0.answer?.maxConnections }.max() ?? 0
        let used = databases.flatMap { $0.answer?.connections ?? [] }.reduce(0) { $0 + $1.count }
        return """
            <p>\(language("\(used) of the services; the server takes \(most).", "서비스 연결 \(used)개, 서버 한도 \(most)개."))</p>
            <table><thead><tr><th scope="col">\(language("Service", "서비스"))</th><th scope="col">\(language("State", "상태"))</th>\
            <th scope="col">\(language("Connections", "연결"))</th><th scope="col">\(language("Wait for a lock", "잠금 대기"))</th>\
            <th scope="col">\(language("Oldest transaction", "가장 오래된 트랜잭션"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func tables(_ service: ServiceName, _ answer: OperatorsAPI.Data?) -> HTML {
        guard let answer else { return "" }
        let all = answer.tables
        let rows = all.prefix(Self.longest).map { table -> HTML in
            """
            <tr><td>\(table.name)</td><td>\(Self.size(table.size))</td><td>\(table.rows)</td>\
            <td>\(table.partitions > 0 ? "\(table.partitions)" : "")</td><td>\(table.retention ?? "")</td></tr>

            """
        }
        let rest = all.dropFirst(Self.longest)
        let more: HTML =
            rest.isEmpty
            ? ""
            : """
            <p class="none">\(language("\(rest.count) smaller ones:", "더 작은 \(rest.count)개:")) \
            \(Self.size(rest.reduce(0) { $0 + $1.size }))</p>
            """
        return """
            <h3>\(service.rawValue), \(Self.size(all.reduce(0) { $0 + $1.size }))</h3>
            <table><thead><tr><th scope="col">\(language("Table", "테이블"))</th><th scope="col">\(language("Size", "크기"))</th>\
            <th scope="col">\(language("Rows, about", "행(추정)"))</th><th scope="col">\(language("Partitions", "파티션"))</th>\
            <th scope="col">\(language("Kept", "보관"))</th></tr></thead><tbody>\(rows)</tbody></table>\(more)
            """
    }

    private static func size(_ bytes: Int64) -> String {
        let value = Double(bytes)
        return switch value {
        case ..<1_000_000: "\(Figure.text(value / 1000)) kB"
        case ..<1_000_000_000: "\(Figure.text(value / 1_000_000)) MB"
        default: "\(Figure.text(value / 1_000_000_000)) GB"
        }
    }
}
