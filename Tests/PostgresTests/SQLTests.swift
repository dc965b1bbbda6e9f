import Testing

@testable import Postgres

@Suite struct SQLTests {
    @Test func values_becomeNumberedParameters() {
        let sql: SQL = "SELECT \(1) + \("two"), \(nil as Bool?)"
        #expect(sql.text == "SELECT $1 + $2, $3")
        #expect(sql.parameters.types == [20, 25, 16])
    }

    @Test func statement_withoutParameters_isItsText() {
        let sql: SQL = "SELECT 'costs $1' || E'\\n'"
        #expect(sql.text == "SELECT 'costs $1' || E'\\n'")
        #expect(sql.parameters.count == 0)
    }

    @Test func fragments_areRenumbered() {
        let condition: SQL = "age > \(18) AND name <> \("$1")"
        let page: SQL = "LIMIT \(Int32(10))"
        let sql: SQL = "SELECT \(true) FROM people WHERE \(condition) ORDER BY id \(page)"
        #expect(sql.text == "SELECT $1 FROM people WHERE age > $2 AND name <> $3 ORDER BY id LIMIT $4")
        #expect(sql.parameters.types == [16, 20, 25, 23])
    }

    @Test func emptyFragment_addsNothing() {
        let nothing: SQL = ""
        let sql: SQL = "SELECT \(1)\(nothing)\(2)"
        #expect(sql.text == "SELECT $1$2")
    }

    @Test func identifiers_areQuoted() {
        let sql: SQL = "LISTEN \(identifier: "a\"; DROP TABLE people; --")"
        #expect(sql.text == "LISTEN \"a\"\"; DROP TABLE people; --\"")
    }

    @Test func key_equalTextAndTypes_isEqual() {
        func find(_ id: Int) -> SQL { "SELECT * FROM people WHERE id = \(id)" }
        let other: SQL = "SELECT * FROM people WHERE id = \("7")"
        let fewer: SQL = "SELECT * FROM people WHERE id = "
        #expect(SQL.Key(find(1)) == SQL.Key(find(2)))
        #expect(SQL.Key(find(1)) == SQL.Key(withoutValues: find(2)))
        #expect(SQL.Key(find(1)).hashValue == SQL.Key(withoutValues: find(2)).hashValue)
        #expect(SQL.Key(find(1)) != SQL.Key(other))
        #expect(SQL.Key(find(1)) != SQL.Key(fewer))
    }

    @Test(
        arguments: [
            ("SELECT likes FROM posts WHERE id = \(1)", false),
            ("WITH p AS (SELECT 1) SELECT updated_at FROM p", false),
            ("SELECT 1 FROM posts FOR UPDATE", true), ("SELECT 1 FROM posts WHERE id = \(1) FOR NO KEY UPDATE", true),
            ("SELECT 1 FROM posts FOR SHARE", true), ("SELECT pg_advisory_xact_lock(1)", true),
            ("WITH p AS (DELETE FROM posts WHERE id = \(1) RETURNING id) SELECT id FROM p", true),
            ("INSERT INTO posts VALUES (1)", true), ("UPDATE posts SET likes = \(1)", true),
            ("DELETE FROM posts", true),
            ("CREATE TABLE posts (id int)", true), ("\(1)", true),
        ] as [(SQL, Bool)]
    )
    func mayWaitForLock_isFalseForPlainReads(sql: SQL, expected: Bool) {
        #expect(sql.mayWaitForLock == expected)
    }

    @Test func unencodableValue_isRecordedAsFailure() {
        let sql: SQL = "SELECT \("a\0b")"
        #expect(sql.parameters.failure?.kind == .unencodable)
        let outer: SQL = "SELECT * FROM (\(sql)) AS inner"
        #expect(outer.parameters.failure?.kind == .unencodable)
    }

    @Test func parameters_beyondLimit_fail() {
        var parameters = Parameters()
        for number in 0..<65_535 { parameters.append(Int16(truncatingIfNeeded: number)) }
        #expect(parameters.failure == nil)
        parameters.append(true)
        #expect(parameters.failure?.kind == .unencodable)
    }
}
