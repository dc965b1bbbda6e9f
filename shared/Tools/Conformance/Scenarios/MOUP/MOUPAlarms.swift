import AppClients

/// The owner's notifications, of which the worker's application has caused one, and the announcements.
struct MOUPAlarms {
    let stage: Stage
    let owner: Person

    func play() async throws {
        try await notifications()
        try await announcements()
    }

    private func notifications() async throws {
        let list = "/alarms/notifications"
        var first: Int64?
        // A notification comes a moment after what has caused it.
        try? await waitUntil("there is a notification", every: .milliseconds(200), atMost: .seconds(10)) {
            first = try await owner.look(list)[0]?["id"]?.integer
            return first != nil
        }
        try await owner.ask("GET \(list)")
        let page = "\(list)/{notificationId}"
        for (method, path) in [("GET", page), ("PATCH", "\(page)/read"), ("DELETE", page)] {
            try await owner.refused(
                "\(method) \(path)",
                MOUPScenario.missing,
                with: 404,
                code: "ALARM_404",
                when: "unknown id"
            )
        }
        if let first {
            try await owner.ask("GET \(page)", first)
            try await owner.ask("PATCH \(page)/read", first)
            try await owner.refused("PATCH \(page)/read", first, with: 409, code: "ALARM_409", when: "read already")
            try await owner.ask("DELETE \(page)", first)
        }
        try await owner.ask("PATCH \(list)/read")
        try await owner.ask("DELETE \(list)")
        let empty = try await owner.ask("GET \(list)", as: "when empty")
        stage.compare("GET \(list)", empty == [], expected: "[]", came: empty.description, as: "when empty")
    }

    /// Only administrators make announcements, so that there may be none.
    private func announcements() async throws {
        let list = "/alarms/announcements"
        let page = "\(list)/{announcementId}"
        let all = try await owner.ask("GET \(list)")
        for (method, path) in [("GET", page), ("PATCH", "\(page)/read"), ("DELETE", page)] {
            try await owner.refused(
                "\(method) \(path)",
                MOUPScenario.missing,
                with: 404,
                code: "ALARM_404",
                when: "unknown id"
            )
            if let id = all[0]?["id"]?.integer { try await owner.ask("\(method) \(path)", id) }
        }
        try await owner.ask("PATCH \(list)/read")
        try await owner.ask("DELETE \(list)")
    }
}
