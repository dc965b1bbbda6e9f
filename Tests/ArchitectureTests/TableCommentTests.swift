import Testing

/// Comments on tables say who deletes their rows: "Deleted after a day, by IdempotencyKeys.", "… by the job "old records"."
@Suite struct TableCommentTests {
    @Test func deletions_nameTypesAndJobsThatExist() throws {
        let name = /by (?:(?<type>[A-Z][A-Za-z]+)|the job (?<job>"[a-z ]+"))/
        var count = 0
        for file in SourceTree.files(".sql", in: ["services", "shared/Events"]) {
            let service = file.folders.prefix(2).joined(separator: "/") + "/"
            let sources = SourceTree.production.filter { $0.path.hasPrefix(service) || $0.path.hasPrefix("shared/") }
            for comment in file.text.split(separator: "COMMENT ON TABLE ").dropFirst() {
                for match in (comment.split(separator: "';").first ?? "").matches(of: name) {
                    let job = match.job.map { "PeriodicJob(\($0)" }
                    let type = match.type.map { ["struct \($0)", "class \($0)", "actor \($0)"] } ?? []
                    let isThere = sources.contains { source in
                        ((job.map { [$0] } ?? []) + type).contains { source.text.contains($0) }
                    }
                    #expect(isThere, "\(file): \(match.output.0)")
                    count += 1
                }
            }
        }
        #expect(count > 50)
    }
}
