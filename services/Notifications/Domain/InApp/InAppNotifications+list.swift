extension InAppNotifications: NotificationList {
    func page(_ query: NotificationQuery, for reader: Reader) async throws -> NotificationPage {
        NotificationPage(try await store.alarms(query, of: reader.account, in: database), limit: query.limit)
    }

    func unread(of reader: Reader) async throws -> Int {
        try await store.unread(of: reader.account, in: database)
    }

    func notice(_ id: NotificationID, for reader: Reader) async throws -> NotificationItem {
        guard let (notice, owner) = try await store.alarm(id, of: reader.app, in: database) else {
            throw NotificationsError.noticeNotFound(reader.app)
        }
        guard owner == reader.account else { throw NotificationsError.notTheirs(reader.app) }
        return notice
    }

    func read(_ id: NotificationID, by reader: Reader) async throws -> (notice: NotificationItem, wasRead: Bool) {
        if let notice = try await store.read(id, of: reader.account, at: now(), in: database) { return (notice, false) }
        return (try await notice(id, for: reader), true)
    }

    func readAll(by reader: Reader) async throws {
        try await store.readAll(of: reader.account, at: now(), in: database)
    }

    func delete(_ id: NotificationID, by reader: Reader) async throws {
        guard try await !store.delete(id, of: reader.account, in: database) else { return }
        _ = try await notice(id, for: reader)
    }

    func deleteAll(by reader: Reader) async throws {
        try await store.deleteAll(of: reader.account, in: database)
    }
}
