import FoundationEssentials
import NIOCore
import Postgres
import TestKit
import Testing

@Suite(.database(), .timeLimit(.minutes(5)))
struct CodecTests {
    private var client: PostgresClient { TestDatabase.current.client }

    /// Stores values and a NULL in PostgreSQL and reads them back, one by one and as one array.
    private func roundTrip<Value: PostgresCodable & PostgresArrayElement & Equatable>(
        _ type: SQL,
        _ values: [Value]
    ) async throws {
        try await client.execute("CREATE TABLE kept (id int PRIMARY KEY, value \(type), list \(type)[])")
        for (id, value) in values.enumerated() {
            try await client.execute("INSERT INTO kept VALUES (\(Int32(id)), \(value))")
        }
        try await client.execute("INSERT INTO kept VALUES (-1, \(nil as Value?))")
        let read = try await client.all("SELECT value FROM kept WHERE id >= 0 ORDER BY id") {
            try $0.decode(Value.self)
        }
        #expect(read == values)
        let null = try await client.one("SELECT value FROM kept WHERE id = -1") { try $0.decode(Value?.self) }
        #expect(null == nil)
        let missing = await #expect(throws: PostgresError.self) {
            try await client.one("SELECT value FROM kept WHERE id = -1") { try $0.decode(Value.self) }
        }
        #expect(missing?.kind == .undecodable)
        #expect(missing?.message.contains("Column 1, value, is NULL") == true)
        try await arrays(type, values)
    }

    private func arrays<Value: PostgresCodable & PostgresArrayElement & Equatable>(
        _ type: SQL,
        _ values: [Value]
    ) async throws {
        let gaps: [Value?] = [nil] + values.map(Optional.some) + [nil]
        let (same, withNulls, empty) = try await client.one("SELECT \(values), \(gaps), \([] as [Value])") {
            try $0.decode([Value].self, [Value?].self, [Value].self)
        }
        #expect(same == values)
        #expect(withNulls == gaps)
        #expect(empty == [])
        try await client.execute("INSERT INTO kept (id, list) VALUES (-2, \(values))")
        let found = try await client.one("SELECT count(*) FROM kept WHERE value = ANY(\(values))") {
            try $0.decode(Int.self)
        }
        #expect(found == values.count)
        await #expect(throws: PostgresError.self, "a NULL has no place in an array without optionals") {
            try await client.one("SELECT \(gaps)") { try $0.decode([Value].self) }
        }
    }

    @Test func integers_roundTrip() async throws {
        try await roundTrip("bigint", [0, 1, -1, Int64.max, Int64.min])
    }

    @Test func plainIntegers_roundTrip() async throws {
        try await roundTrip("bigint", [0, Int.max, Int.min])
    }

    @Test func halfIntegers_roundTrip() async throws {
        try await roundTrip("integer", [0, Int32.max, Int32.min])
    }

    @Test func shortIntegers_roundTrip() async throws {
        try await roundTrip("smallint", [0, Int16.max, Int16.min])
    }

    @Test func booleans_roundTrip() async throws {
        try await roundTrip("boolean", [true, false])
    }

    @Test func doubles_roundTrip() async throws {
        try await roundTrip(
            "double precision",
            [0, -0.1, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity]
        )
    }

    @Test func floats_roundTrip() async throws {
        try await roundTrip("real", [0, 1.5, -.greatestFiniteMagnitude, -.infinity] as [Float])
    }

    @Test func texts_roundTrip() async throws {
        try await roundTrip("text", ["", "서울특별시", "👩‍👩‍👧‍👦", "'; DROP TABLE kept; --", "$1", "\\x00", "NULL", "{a,\"b\"}"])
    }

    @Test func uuids_roundTrip() async throws {
        try await roundTrip("uuid", [UUID(), UUID(uuidString: "00000000-0000-0000-0000-000000000000") ?? UUID()])
    }

    @Test func instants_roundTrip() async throws {
        // The values have microseconds, a distant past and future, and infinities.
        let microsecond = 1_700_000_000.123456
        try await roundTrip(
            "timestamptz",
            [microsecond, 0, -62_000_000_000, 4_102_444_799.999999, .infinity, -.infinity].map(
                Date.init(timeIntervalSince1970:)
            )
        )
    }

    @Test func buffers_roundTrip() async throws {
        try await roundTrip("bytea", [ByteBuffer(), ByteBuffer(bytes: 0...255), ByteBuffer(string: "'")])
    }

    @Test func bytes_roundTrip() async throws {
        let bytes: [UInt8] = Array(0...255)
        let (same, empty, null) = try await client.one("SELECT \(bytes), \([] as [UInt8]), \(nil as [UInt8]?)") {
            try $0.decode([UInt8].self, [UInt8].self, [UInt8]?.self)
        }
        #expect(same == bytes)
        #expect(empty == [])
        #expect(null == nil)
    }

    private struct Address: Codable, Equatable, Sendable {
        var city: String
        var floors: [Int]
    }

    @Test func json_roundTrips() async throws {
        let address = Address(city: "부산 \"항\"", floors: [1, -2])
        let (binary, text, null, raw) = try await client.one(
            "SELECT \(PostgresJSON(address)), \(PostgresJSON(address))::json, \(nil as PostgresJSON<Address>?), \(PostgresJSON([1]))"
        ) {
            try $0.decode(
                PostgresJSON<Address>.self,
                PostgresJSON<Address>.self,
                PostgresJSON<Address>?.self,
                String.self
            )
        }
        #expect(binary.value == address)
        #expect(text.value == address)
        #expect(null == nil)
        #expect(raw == "[1]")
        let city = try await client.one("SELECT \(PostgresJSON(address)) ->> 'city'") { try $0.decode(String.self) }
        #expect(city == address.city)
        let error = await #expect(throws: PostgresError.self) {
            try await client.one("SELECT \("{\"city\": \"secret\"}")::jsonb") {
                try $0.decode(PostgresJSON<Address>.self)
            }
        }
        #expect(error?.kind == .undecodable)
        #expect(error?.description.contains("secret") == false)
    }

    private enum Mood: String, PostgresCodable, PostgresArrayElement {
        case sad, happy
    }

    @Test func enumerations_roundTrip() async throws {
        try await client.execute("CREATE TYPE mood AS ENUM ('sad', 'happy', 'bored')")
        try await client.execute("CREATE TABLE diary (mood mood, feeling text)")
        try await client.execute("INSERT INTO diary VALUES (\(Mood.happy)::mood, \(Mood.sad)), ('bored', NULL)")
        let first = try await client.one("SELECT mood, feeling FROM diary WHERE feeling = ANY(\([Mood.sad]))") {
            try $0.decode(Mood.self, Mood.self)
        }
        #expect(first == (.happy, .sad))
        let error = await #expect(throws: PostgresError.self) {
            try await client.one("SELECT mood FROM diary WHERE feeling IS NULL") { try $0.decode(Mood.self) }
        }
        #expect(error?.message == "Column 1, mood, holds a value that Mood does not know")
    }

    @Test func textLikeTypes_areReadAsText() async throws {
        let (a, b, c, d, e) = try await client.one(
            "SELECT 'a'::varchar, 'b'::char(2), 'c'::name, '{\"d\": 1}'::jsonb, '[1]'::json"
        ) { try $0.decode(String.self, String.self, String.self, String.self, String.self) }
        #expect([a, b, c, d, e] == ["a", "b ", "c", "{\"d\": 1}", "[1]"])
    }

    @Test func datesAndTimestamps_areReadAsUTC() async throws {
        let (day, local, never) = try await client.one(
            "SELECT '1999-12-31'::date, '2000-01-01 00:00:01'::timestamp, 'infinity'::date"
        ) { try $0.decode(Date.self, Date.self, Date.self) }
        #expect(day == Date(timeIntervalSince1970: 946_598_400))
        #expect(local == Date(timeIntervalSince1970: 946_684_801))
        #expect(never.timeIntervalSinceReferenceDate == .infinity)
    }

    @Test func integers_areReadFromColumnsOfAnyWidth() async throws {
        let (a, b, c) = try await client.one("SELECT 7::smallint, 7::bigint, count(*) FROM (VALUES (1), (2)) AS two") {
            try $0.decode(Int.self, Int16.self, Int32.self)
        }
        #expect((a, b, c) == (7, 7, 2))
    }

    @Test(arguments: [
        ("SELECT 70000::int" as SQL, "does not fit Int16"),
        ("SELECT 1.5::numeric", "cast it to bigint"),
        ("SELECT 'text'", "of type 25 cannot be read as Int16"),
        ("SELECT true", "of type 16 cannot be read as Int16"),
        ("SELECT 1.0::float8", "of type 701 cannot be read as Int16"),
        ("SELECT 1, 2", "returns 2 columns where 1 were expected"),
        ("SELECT", "returns 0 columns where 1 were expected"),
    ])
    func decode_ofOtherType_throws(sql: SQL, expected: String) async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await client.one(sql) { try $0.decode(Int16.self) }
        }
        #expect(error?.kind == .undecodable)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["SELECT 1" as SQL, "SELECT '\\x41'::bytea", "SELECT now()", "SELECT ARRAY['a']", "SELECT 1.5"])
    func text_ofBinaryType_throws(sql: SQL) async throws {
        await #expect(throws: PostgresError.self) { try await client.one(sql) { try $0.decode(String.self) } }
    }

    @Test func arrays_ofOtherDimensions_throw() async throws {
        await #expect(throws: PostgresError.self) {
            try await client.one("SELECT ARRAY[[1,2],[3,4]]") { try $0.decode([Int32].self) }
        }
        await #expect(throws: PostgresError.self) { try await client.one("SELECT 1") { try $0.decode([Int32].self) } }
    }

    @Test func unencodableValue_isNotSent() async throws {
        let text = await #expect(throws: PostgresError.self) { try await client.execute("SELECT \("a\0b")") }
        #expect(text?.kind == .unencodable)
        let date = await #expect(throws: PostgresError.self) {
            try await client.execute("SELECT \(Date(timeIntervalSince1970: .nan))")
        }
        #expect(date?.kind == .unencodable)
        let number = await #expect(throws: PostgresError.self) {
            try await client.transaction { try await $0.execute("SELECT \(PostgresJSON(Double.nan))") }
        }
        #expect(number?.kind == .unencodable)
        let far = await #expect(throws: PostgresError.self) {
            try await client.execute("SELECT \(Date(timeIntervalSince1970: 1e13))")
        }
        #expect(far?.kind == .unencodable)
    }
}
