import AppClients
import Apps
import Contracts
import Values

/// Two travellers: they sign up with verified phones, look for a companion, show pictures and talk.
struct WithSuhyeonScenario {
    let stage: Stage
    static let region = "홍대/합정/마포/서대문/은평"
    static let missing: Int64 = 999_999_999

    func play() async throws {
        try await stage.part("signing in") { try await refuseSignIns() }
        try await stage.part("lists of values") { try await enumerations() }
        try await stage.part("two travellers") {
            let signUp = WithSuhyeonSignUp(stage: stage)
            let (author, guest) = (try await signUp.member("first"), try await signUp.member("second"))
            try await stage.part("own page") { try await page(author) }
            try await stage.part("posts") {
                try await WithSuhyeonPosts(stage: stage, author: author, guest: guest).play()
            }
            try await stage.part("gallery") { try await gallery(author, guest) }
            try await stage.part("leaving") { try await leave(author, guest) }
        }
    }

    private func refuseSignIns() async throws {
        let stranger = stage.stranger()
        let auth = "/api/v1/auth"
        try await stranger.refused(
            "POST \(auth)/kakao",
            headers: ["Access-Token": "nonsense"],
            with: 400,
            code: "REQUEST_019",
            when: "bad token"
        )
        try await stranger.refused(
            "POST \(auth)/apple",
            query: "code=nonsense",
            with: 400,
            code: "REQUEST_019",
            when: "bad code"
        )
        let unknown: RequestBody = ["phoneNumber": "01099999999"]
        try await stranger.refused(
            "POST \(auth)/signin",
            body: unknown,
            with: 400,
            code: "USER_002",
            when: "unknown phone"
        )
        try await stranger.refused(
            "POST \(auth)/signin",
            body: ["phoneNumber": "1"],
            with: 400,
            code: "REQUEST_001",
            when: "no phone"
        )
        for method in ["POST", "PATCH"] {
            try await stranger.refused(
                "\(method) \(auth)/signup",
                body: [:],
                with: 400,
                code: "REQUEST_001",
                when: "empty body"
            )
        }
        let number: RequestBody = ["phoneNumber": "1"]
        try await stranger.refused(
            "POST /api/v1/message/send",
            query: "flow=signup",
            body: number,
            with: 400,
            code: "REQUEST_001",
            when: "no phone"
        )
        try await stranger.ask("POST /api/vi/fcm/token", body: ["token": "conform"])
    }

    /// The order of both lists is a part of the contract.
    private func enumerations() async throws {
        let stranger = stage.stranger()
        let regions = try await stranger.ask("GET /api/v1/enums/regions")["result"]?["regions"]?.elements ?? []
        let names = regions.compactMap { $0["location"]?.string }.joined(separator: " ")
        let expected = "전국 서울 부산 제주 인천 강원 경기 경상 전라 충청"
        stage.compare("GET /api/v1/enums/regions", names == expected, expected: expected, came: names, as: "order")
        let categories = try await stranger.ask("GET /api/v1/enums/categories")["result"]?["categories"]?.elements ?? []
        let came = categories.compactMap { $0["category"]?.string }.joined(separator: " ")
        let order = "바다 카페 학교 파티룸 공항 스키장 캠핑 회식 수영장 자취방 엠티 해외여행 도서관 찜질방 기타"
        stage.compare("GET /api/v1/enums/categories", came == order, expected: order, came: came, as: "order")
    }

    private func page(_ person: Person) async throws {
        let page = "/api/v1/mypage"
        for path in ["", "/blocks", "/posts", "/galleries", "/preference", "/phone-number"] {
            try await person.ask("GET \(page)\(path)")
        }
        let number = "010\(UInt32.random(in: 10_000_000...99_999_999))"
        let blocks = "\(page)/blocks"
        try await person.ask("POST \(blocks)", body: ["phoneNumber": .string(number)])
        try await person.refused(
            "POST \(blocks)",
            body: ["phoneNumber": .string(number)],
            with: 400,
            code: "BLOCK_004",
            when: "blocked already"
        )
        try await person.refused("POST \(blocks)", body: ["phoneNumber": "1"], with: 400, when: "no phone")
        let own = try await person.look("\(page)/phone-number")["result"]?["phoneNumber"] ?? .null
        try await person.refused(
            "POST \(blocks)",
            body: ["phoneNumber": own],
            with: 400,
            code: "BLOCK_002",
            when: "own phone"
        )
        try await person.ask("GET \(blocks)", as: "with a number")
        try await person.ask("DELETE \(blocks)", query: "number=\(number)")
        // A 404 would sign the user out, so that what is missing is 410.
        try await person.refused(
            "DELETE \(blocks)",
            query: "number=\(number)",
            with: 410,
            code: "BLOCK_001",
            when: "not blocked"
        )
        try await person.refused("DELETE \(blocks)", query: "number=1", with: 400, code: "BLOCK_003", when: "no phone")
        try await person.ask("PATCH \(page)/preference", body: ["region": .string(Self.region)])
        try await person.refused(
            "PATCH \(page)/preference",
            body: ["region": "달"],
            with: 400,
            code: "POST_003",
            when: "unknown region"
        )
        let phone = "\(page)/phone-number"
        try await person.refused(
            "PATCH \(phone)",
            body: ["phoneNumber": "1"],
            with: 400,
            code: "REQUEST_001",
            when: "no phone"
        )
    }

    private func gallery(_ author: Person, _ guest: Person) async throws {
        let call = "/api/v1/galleries"
        let text: JSON = ["category": "바다", "title": "경포", "content": "파도"]
        func form(_ text: JSON) -> RequestBody { SamplePicture.form("image", json: ("createGalleryRequest", text)) }
        try await author.ask("POST \(call)", body: form(text))
        let unknown = form(text.merging(["category": "달"]))
        try await author.refused(
            "POST \(call)",
            body: unknown,
            with: 400,
            code: "CONSTANT_001",
            when: "unknown category"
        )
        let untitled = form(text.merging(["title": ""]))
        try await author.refused("POST \(call)", body: untitled, with: 400, code: "REQUEST_001", when: "no title")
        try await guest.ask("GET \(call)", query: "category=all&size=20")
        try await guest.refused(
            "GET \(call)",
            query: "category=달",
            with: 400,
            code: "CONSTANT_001",
            when: "unknown category"
        )
        let own = try await author.ask("GET /api/v1/mypage/galleries", as: "with a picture")["result"]?["userGalleries"]
        let id = try (own?[0] ?? .null).number("galleryId")
        try await guest.ask("GET \(call)/{galleryId}", id)
        let picture = "\(call)/{galleryId}"
        try await guest.refused("GET \(picture)", Self.missing, with: 410, code: "GALLERY_005", when: "unknown id")
        try await guest.refused("DELETE \(picture)", id, with: 403, code: "GALLERY_006", when: "not the author")
        try await author.ask("DELETE \(picture)", id)
        try await author.refused("DELETE \(picture)", id, with: 410, code: "GALLERY_005", when: "unknown id")
    }

    private func leave(_ author: Person, _ guest: Person) async throws {
        let (signOut, withdraw) = ("POST /api/v1/auth/logout", "DELETE /api/v1/auth/withdraw")
        guard !author.isLent, !guest.isLent else {
            for call in [signOut, withdraw] { stage.results.skip(call, because: "the accounts of --credentials stay") }
            return
        }
        try await author.ask(signOut)
        await author.settle(.get, "/api/v1/mypage") { $0 != 200 }
        try await author.refused("GET /api/v1/mypage", with: 401, when: "signed out")
        try await guest.ask(withdraw)
        await guest.settle(.get, "/api/v1/mypage") { $0 == 401 }
        try await guest.refused("GET /api/v1/mypage", with: 401, when: "withdrawn")
    }
}
