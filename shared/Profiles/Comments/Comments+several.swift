package import Postgres

extension Comments {
    /// The newest comments on each of several subjects, without replies, newest first, by the subject's row id.
    package func newest(on ids: [SubjectID], limit: Int) async throws -> [SubjectID: [Comment]] {
        guard !ids.isEmpty else { return [:] }
        let found = try await store.newest(on: ids, limit: limit, in: database)
        return Dictionary(grouping: found, by: \.subject).mapValues { $0.map(\.comment) }
    }

    /// The number of comments on each of several subjects, without replies, by the subject's row id; subjects without
    /// comments are omitted.
    package func counts(on ids: [SubjectID]) async throws -> [SubjectID: Int] {
        guard !ids.isEmpty else { return [:] }
        return Dictionary(uniqueKeysWithValues: try await store.counts(on: ids, in: database))
    }
}

extension CommentStore {
    func newest(
        on ids: [SubjectID],
        limit: Int,
        in database: some Querying
    ) async throws -> [(subject: SubjectID, comment: Comment)] {
        try await database.all(newest(on: ids, limit: limit)) { row in
            try row.decode { columns in (try columns.next(SubjectID.self), try Comment(&columns)) }
        }
    }

    package func newest(on ids: [SubjectID], limit: Int) -> SQL {
        """
        SELECT wanted.id, \(Comment.columns) FROM unnest(\(ids)) AS wanted (id)
            CROSS JOIN LATERAL (
                SELECT * FROM comments c WHERE \(subject.reference) = wanted.id AND NOT c.is_reply
                ORDER BY c.created_at DESC, c.id DESC LIMIT \(limit)
            ) c
            JOIN people p ON p.account_id = c.author_id
        ORDER BY c.created_at DESC, c.id DESC
        """
    }

    func counts(on ids: [SubjectID], in database: some Querying) async throws -> [(SubjectID, Int)] {
        try await database.all(
            """
            SELECT \(subject.reference), count(*) FROM comments c
            WHERE \(subject.reference) = ANY(\(ids)) AND NOT c.is_reply GROUP BY 1
            """
        ) { try $0.decode(as: (SubjectID, Int).self) }
    }
}
