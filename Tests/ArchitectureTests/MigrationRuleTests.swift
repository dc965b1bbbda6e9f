import Testing

/// Migrations only expand the schema: while a new version starts, older copies of the service still use the tables, and
/// they use them again after a rollback. What no version uses any more is removed by a later release (`-- Contracts:` and
/// the reason in the statement's own line). No statement holds a lock while it reads or writes a whole table.
@Suite struct MigrationRuleTests {
    /// The last migrations that were written before the rules.
    private static let earlier = [
        "Auth": 19, "Seats": 22, "Workforce": 17, "Estate": 14, "Community": 18, "Chat": 14, "Payments": 17,
        "Notifications": 12,
    ]

    private static let rules: [(pattern: String, advice: String)] = [
        ("\\bDROP (TABLE|COLUMN|FUNCTION|TYPE)\\b", "older copies still use it: remove it in a later release"),
        ("\\bRENAME\\b", "older copies use the old name: add the new one beside it, and write both"),
        ("\\bALTER COLUMN \\w+ (SET DATA )?TYPE\\b", "this rewrites the table: add a column and fill it in batches"),
        (
            "\\bADD COLUMN .*\\b(GENERATED (ALWAYS|BY DEFAULT) AS|(SMALL|BIG)?SERIAL|[a-z_]*(uuid|random|clock_timestamp|timeofday|nextval)\\()",
            "this rewrites the table, since each row has a value of its own: add the column without it and fill it in batches"
        ),
        (
            "\\b(SET (LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)|CLUSTER|VACUUM FULL)\\b",
            "this rewrites the table: create another one beside it, and copy the rows in batches"
        ),
        (
            "\\bALTER COLUMN \\w+ SET NOT NULL\\b",
            "this reads the whole table: add a CHECK as NOT VALID, validate it later"
        ),
        ("\\bADD COLUMN (?!.*\\bDEFAULT\\b).*\\bNOT NULL\\b", "older copies write no value: give it a default"),
        (
            "\\bADD (CONSTRAINT \\w+ )?(CHECK|FOREIGN KEY)\\b(?!.*\\bNOT VALID\\b)",
            "add it as NOT VALID, validate it later"
        ),
        ("\\bADD (CONSTRAINT \\w+ )?(UNIQUE|PRIMARY KEY) *\\(", "build the index with CREATE INDEX CONCURRENTLY first"),
    ]

    /// The sentences about a script.
    private static func faults(in script: String) throws -> [String] {
        let created = script.matches(of: /CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(?<name>\w+)/).map(\.name)
        var faults: [String] = []
        for line in script.split(separator: "\n") where !line.contains("-- Contracts: ") && !line.hasPrefix("--") {
            for rule in Self.rules where (try line.firstMatch(of: Regex(rule.pattern))) != nil {
                faults.append("\(line): \(rule.advice)")
            }
            if let table = line.firstMatch(of: /CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY).* ON (?<table>\w+)/)?.table,
                !created.contains(table)
            {
                faults.append(
                    "\(line): the table cannot be written meanwhile: use CONCURRENTLY, in a migration of its own"
                )
            }
        }
        for statement in script.split(separator: ";") {
            let lines = statement.split(separator: "\n").filter { !$0.hasPrefix("--") }
            guard let first = lines.first, first.contains(/^(UPDATE|DELETE FROM)\b/),
                !lines.contains(where: { $0.contains(/\bWHERE\b/) })
            else { continue }
            faults.append("\(first): this locks every row: change them in batches, by a job of the service")
        }
        return faults
    }

    @Test func migrations_onlyExpand() throws {
        for file in SourceTree.files(".sql", in: ["services"]) {
            let service = String(file.folders[1])
            guard let number = Int(file.name.prefix(4)), number > Self.earlier[service] ?? 0 else { continue }
            for fault in try Self.faults(in: file.text) { Issue.record("\(file): \(fault)") }
        }
    }

    @Test(
        arguments: [
            "ALTER TABLE posts DROP COLUMN title;", "DROP TABLE posts;", "ALTER TABLE posts RENAME COLUMN a TO b;",
            "ALTER TABLE posts ALTER COLUMN id TYPE bigint;", "ALTER TABLE posts ALTER COLUMN id SET DATA TYPE bigint;",
            "ALTER TABLE posts ADD COLUMN n bigint GENERATED ALWAYS AS IDENTITY;",
            "ALTER TABLE posts ADD COLUMN n int GENERATED ALWAYS AS (a + b) STORED;",
            "ALTER TABLE posts ADD COLUMN n uuid NOT NULL DEFAULT gen_random_uuid();",
            "ALTER TABLE posts ADD COLUMN n BIGSERIAL;", "ALTER TABLE posts SET LOGGED;",
            "CLUSTER posts USING posts_pkey;",
            "ALTER TABLE posts ALTER COLUMN id SET NOT NULL;",
            "ALTER TABLE posts ADD COLUMN n int NOT NULL;", "ALTER TABLE posts ADD CHECK (n > 0);",
            "ALTER TABLE posts ADD CONSTRAINT posts_key UNIQUE (n);", "CREATE INDEX posts_idx ON posts (n);",
            "ALTER TABLE posts ADD FOREIGN KEY (n) REFERENCES people;", "UPDATE posts SET n = 0;",
            "DELETE FROM posts;",
        ]
    )
    func statement_thatOlderCopiesDoNotBear_isRefused(statement: String) throws {
        #expect(try Self.faults(in: statement).count == 1)
    }

    @Test(
        arguments: [
            "ALTER TABLE posts ADD COLUMN n int NOT NULL DEFAULT 0;",
            "ALTER TABLE posts ADD COLUMN n timestamptz NOT NULL DEFAULT now();", "ALTER TABLE posts ADD COLUMN n int;",
            "CREATE TABLE posts (id bigint PRIMARY KEY);\nCREATE INDEX posts_idx ON posts (id);",
            "CREATE INDEX CONCURRENTLY posts_idx ON posts (n);", "ALTER TABLE posts ADD CHECK (n > 0) NOT VALID;",
            "UPDATE posts SET n = 0\nWHERE id = 1;",
            "ALTER TABLE posts DROP COLUMN title; -- Contracts: not used since 1.4",
            "ALTER TABLE posts ADD CONSTRAINT posts_key UNIQUE USING INDEX posts_idx;",
        ]
    )
    func statement_thatExpands_isAccepted(statement: String) throws {
        #expect(try Self.faults(in: statement) == [])
    }
}
