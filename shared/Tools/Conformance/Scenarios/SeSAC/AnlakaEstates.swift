import AppClients

/// A neighbour offers a listing; the person likes it, reserves it and pays.
struct AnlakaEstates {
    let stage: Stage
    let person: Person
    let neighbour: Person

    func play() async throws {
        let estate = try await offer()
        try await stage.part("lists of estates") { try await lists(estate) }
        try await stage.part("comments on estates") { try await comments(estate) }
        try await stage.part("orders") { try await orders(estate) }
    }

    private func offer() async throws -> String {
        let body: RequestBody = [
            "category": "원룸", "title": "예약할 수 있는 원룸", "introduction": "역에서 5분", "reservation_price": 100,
            "thumbnails": [], "description": "남향", "deposit": 5_000_000, "monthly_rent": 450_000,
            "built_year": "2019-03-02", "maintenance_fee": 50_000, "area": 23.1, "parking_count": 0, "floors": 2,
            "is_safe_estate": true, "is_recommended": false, "options": ["sink": true], "longitude": 127.0454,
            "latitude": 37.6522,
        ]
        let estate = try await neighbour.ask("POST /v1/estates", body: body).text("estate_id")
        try await neighbour.refused("POST /v1/estates", body: [:], with: 400, when: "empty body")
        return estate
    }

    private func lists(_ estate: String) async throws {
        try await person.ask("GET /v1/estates/{estate_id}", estate)
        try await person.refused("GET /v1/estates/{estate_id}", AnlakaScenario.unknown, with: 404, when: "unknown id")
        let like = "POST /v1/estates/{estate_id}/like"
        let quirk = "estate_id=\(estate)"
        try await person.ask(like, estate, query: quirk, body: ["like_status": true])
        try await person.refused(like, estate, body: [:], with: 400, when: "empty body")
        let liked: RequestBody = ["like_status": true]
        try await person.refused(like, AnlakaScenario.unknown, body: liked, with: 404, when: "unknown id")
        let near = "GET /v1/estates/geolocation"
        let found = try await person.ask(near, query: "\(AnlakaScenario.place)&maxDistance=1000")
        let ids = found["data"]?.elements.compactMap { $0["estate_id"]?.string } ?? []
        // The app builds a dictionary of unique keys, and ends at a second one.
        stage.compare(
            near,
            Set(ids).count == ids.count,
            expected: "no listing twice",
            came: "\(ids.count)",
            as: "once each"
        )
        try await person.refused(near, query: "longitude=127", with: 400, when: "no place")
        for list in ["today-estates", "hot-estates", "similar-estates", "today-topic"] {
            try await person.ask("GET /v1/estates/\(list)")
        }
        try await person.ask("GET /v1/estates/likes/me", query: "limit=5")
        try await person.refused("GET /v1/estates/likes/me", query: "next=nonsense", with: 400, when: "bad cursor")
        let banners = try await person.ask("GET /v1/banners/main")
        let count = banners["data"]?.elements.count ?? 0
        stage.compare(
            "GET /v1/banners/main",
            count >= 2,
            expected: "two banners at least",
            came: "\(count)",
            as: "number"
        )
        if let path = banners["data"]?[0]?["imageUrl"]?.string?.stripping("/data/") {
            try await person.ask("GET /v1/data/{path}", path, as: "banner")
        }
    }

    private func comments(_ estate: String) async throws {
        let call = "/v1/estates/{estate_id}/comments"
        let id = try await person.ask("POST \(call)", estate, body: ["content": "주말에 볼 수 있나요?"]).text("comment_id")
        try await person.refused("POST \(call)", estate, body: ["content": ""], with: 400, when: "empty text")
        let unknown = AnlakaScenario.unknown
        try await person.refused("POST \(call)", unknown, body: ["content": "x"], with: 404, when: "unknown id")
        try await person.ask("PUT \(call)/{comment_id}", estate, id, body: ["content": "평일은요?"])
        try await neighbour.refused(
            "PUT \(call)/{comment_id}",
            estate,
            id,
            body: ["content": "x"],
            with: 445,
            when: "not the author"
        )
        try await neighbour.refused("DELETE \(call)/{comment_id}", estate, id, with: 445, when: "not the author")
        try await person.ask("DELETE \(call)/{comment_id}", estate, id)
        try await person.refused("DELETE \(call)/{comment_id}", estate, id, with: 404, when: "unknown id")
    }

    private func orders(_ estate: String) async throws {
        let body: RequestBody = ["estate_id": .string(estate), "total_price": 100]
        let order = try await person.ask("POST /v1/orders/", body: body)
        let code = try order.text("order_code")
        let again = try await person.ask("POST /v1/orders/", body: body, as: "again")
        stage.compare(
            "POST /v1/orders/",
            again == order,
            expected: "the same order",
            came: again.description,
            as: "again"
        )
        let wrong: RequestBody = ["estate_id": .string(estate), "total_price": 1]
        try await person.refused("POST /v1/orders/", body: wrong, with: 400, when: "wrong price")
        let unknown: RequestBody = ["estate_id": .string(AnlakaScenario.unknown)]
        try await person.refused("POST /v1/orders/", body: unknown, with: 404, when: "unknown id")
        try await neighbour.refused("POST /v1/orders/", body: body, with: 409, when: "reserved by another")
        try await person.refused("GET /v1/payments/{order_code}", "none", with: 404, when: "unknown code")
        let validation = "POST /v1/payments/validation"
        try await person.refused(validation, body: ["imp_uid": "imp_000000000000"], with: 400, when: "unknown payment")
        try await person.refused(validation, body: [:], with: 400, when: "empty body")
        try await person.ask("GET /v1/orders/", as: "before the payment")

        let paid = try await stage.sandbox(for: "a payment").pay(code, 100)
        let first = try await person.ask(validation, body: ["imp_uid": .string(paid)])
        let second = try await person.ask(validation, body: ["imp_uid": .string(paid)], as: "again")
        stage.compare(validation, first == second, expected: "the same answer", came: "another", as: "again")
        try await neighbour.refused(
            validation,
            body: ["imp_uid": .string(paid)],
            with: 445,
            409,
            404,
            403,
            when: "another's payment"
        )
        try await person.ask("GET /v1/orders/")
        try await person.ask("GET /v1/payments/{order_code}", code, query: "order_code=Optional(%22\(code)%22)")
        try await neighbour.refused("GET /v1/payments/{order_code}", code, with: 445, 403, when: "another's payment")
    }
}
