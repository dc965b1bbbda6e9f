import Testing

@testable import Moves

/// What is in the way of a move, by the facts of both servers.
@Suite struct ServerFactsTests {
    private func problem(_ change: (inout ServerFacts, inout ServerFacts, inout SchemaFacts) -> Void) -> String? {
        var here = ServerFacts(place: "here", identity: "1")
        var there = ServerFacts(place: "there", identity: "2")
        var schema = SchemaFacts(name: "chat")
        here.extensions = ["postgis": ["3.3.2"]]
        there.extensions = ["postgis": ["3.3.2", "3.10.0"]]
        schema.bytes = 600 << 20
        there.freeBytes = 1200 << 20
        change(&here, &there, &schema)
        return here.problem(movingTo: there, schema)
    }

    @Test func suitableServer_hasNoProblem() {
        #expect(problem { _, _, _ in } == nil)
        #expect(problem { _, there, _ in there.version = 17 } == nil)
        #expect(problem { _, there, _ in there.freeBytes = nil } == nil)
    }

    @Test func unsuitableServers_areNamedInOneSentence() {
        let cases: [(expected: String, found: String?)] = [
            ("there is the server that has chat already", problem { _, there, _ in there.identity = "1" }),
            ("is no superuser", problem { _, there, _ in there.isSuperuser = false }),
            ("there is a standby; name its primary first", problem { _, there, _ in there.isStandby = true }),
            ("there is PostgreSQL 14, older than the present 15", problem { _, there, _ in there.version = 14 }),
            ("set it to logical and restart", problem { here, _, _ in here.walLevel = "replica" }),
            ("there has no PostGIS", problem { _, there, _ in there.extensions = [:] }),
            ("there has no pg_trgm", problem { here, _, _ in here.extensions["pg_trgm"] = ["1.6"] }),
            ("an older postgis", problem { _, there, _ in there.extensions = ["postgis": ["3.2.9"]] }),
            ("max_replication_slots of here has room for 2", problem { here, _, _ in here.freeSlots = 2 }),
            ("max_wal_senders of here", problem { here, _, _ in here.freeSenders = 0 }),
            ("max_replication_slots of there", problem { _, there, _ in there.freeSlots = 2 }),
            ("max_logical_replication_workers of there", problem { _, there, _ in there.freeWorkers = 2 }),
            ("chat.notes has no primary key", problem { _, _, schema in schema.withoutIdentity = ["notes"] }),
            (
                "the disk of there has 1199 MB left, and twice the size of chat is 1200 MB",
                problem { _, there, _ in there.freeBytes = 1199 << 20 }
            ),
        ]
        for (expected, found) in cases {
            #expect(found?.contains(expected) == true, "\(expected): \(found ?? "no problem")")
        }
    }
}
