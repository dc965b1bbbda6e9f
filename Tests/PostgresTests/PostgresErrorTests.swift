import Testing

@testable import Postgres

@Suite struct PostgresErrorTests {
    @Test(arguments: [
        ("invalid input syntax for type uuid: \"010-1234-5678\"", "invalid input syntax for type uuid: \"…\""),
        ("value \"9\" \"9\" is out of range", "value \"…\" is out of range"),
        ("division by zero", "division by zero"),
        ("odd \" quote", "odd \" quote"),
    ])
    func dataException_omitsData(message: String, expected: String) {
        #expect(PostgresError(.refused, message, sqlState: "22P02").message == expected)
    }

    @Test func otherErrors_keepConstraintNames() {
        let error = PostgresError(
            .refused,
            "duplicate key value violates unique constraint \"people_name_key\"",
            sqlState: .uniqueViolation,
            constraint: "people_name_key"
        )
        #expect(error.violates("people_name_key"))
        #expect(!error.violates("people_pkey"))
        #expect(error.description == "duplicate key value violates unique constraint \"people_name_key\" (23505)")
        #expect(!PostgresError(.refused, "", sqlState: "22000", constraint: "x").violates("x"))
    }

    @Test func statement_isShownWithoutValues() {
        let sql: SQL = "SELECT \("secret")"
        let error = PostgresError(.rowCount, "none").about(sql)
        #expect(error.description == "none in: SELECT $1")
        #expect(error.about("SELECT 2").statement == "SELECT $1", "the first statement is kept")
    }

    @Test func isTransient_forConflictsAndEndedSessions() {
        #expect(PostgresError(.refused, "", sqlState: .serializationFailure).isTransient)
        #expect(PostgresError(.refused, "", sqlState: .deadlockDetected).isTransient)
        #expect(PostgresError(.sessionEnded, "").isTransient)
        #expect(!PostgresError(.refused, "", sqlState: .queryCanceled).isTransient)
        #expect(!PostgresError(.connectionLost, "").isTransient)
    }
}
