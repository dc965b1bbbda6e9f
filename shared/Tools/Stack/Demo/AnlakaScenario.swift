import AppClients
import Apps
import StackKit

extension Scenario {
    /// The real-estate app: signs up with an e-mail address, refreshes tokens explicitly and silently, shows the map.
    static let anlaka = Scenario(
        name: "anlaka",
        title:
            "Anlaka: join with an e-mail address, look at the map, like what is near, reserve, talk with a neighbour"
    ) { programs in
        let person = AnlakaClient(programs.gateway.url, key: AppKey.anlaka, observer: Transcript.print)
        let email = "phone-\(UInt32.random(in: 0...UInt32.max))@example.com"
        let account = SeSACAccount(email: email, password: "anlaka2025!", nick: "새싹")
        try await person.step("The app asks whether the address is free.").checkEmail(email).json()
        try await person.step("The person joins.").join(account)
        try await person.step("The app signs in.").signIn(account)
        guard let old = person.connection.tokens else { throw StackError("the sign-in returned no tokens") }
        let fresh = try await person.step("Before the access token runs out, it asks for the next pair.")
            .send(\.refreshTokens, headers: ["RefreshToken": old.refreshToken]).expect().value(ClientTokens.self)
        guard fresh.refreshToken != old.refreshToken else {
            throw StackError("the refresh returned the refresh token that it was given")
        }
        person.step(
            "Its access token is gone, and all of its screens ask at once. The gateway refreshes for them, once."
        )
        try await refresh(programs, times: 50, token: fresh.refreshToken)
        person.connection.tokens = fresh
        try await showMap(person)
        try await reserve(person, programs)
        let (neighbour, post) = try await publish(person, programs)
        try await react(neighbour, to: post, of: person)
        try await chat(person, neighbour, programs)
    }

    /// Sends a request many times concurrently without an access token, as an app with an expired token does: each
    /// response must be successful, and all must contain the same new tokens.
    private static func refresh(_ programs: Programs, times: Int, token: String) async throws {
        let client = AnlakaClient(programs.gateway.url, key: AppKey.anlaka)
        let path = "/v1/users/me/profile"
        Console.line("    → \(times) × GET \(path)  RefreshToken: \(Transcript.short(token))")
        let start = ContinuousClock.now
        let answers = try await withThrowingTaskGroup { group in
            for _ in 0..<times {
                group.addTask { try await client.send(\.getOwnProfile, headers: ["RefreshToken": token]).expect() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        let successors = Set(answers.map { $0.header("X-Refresh-Token") })
        guard successors.count == 1, let successor = successors.first ?? nil, successor != token else {
            throw StackError("\(times) requests with one refresh token got \(successors.count) successors")
        }
        let text = Transcript.short(successor)
        Console.line("    ← \(times) × 200  X-Refresh-Token: \(text), the same in all  (\(milliseconds) ms)")
    }

    /// Shows the map of Seoul, zooms in to a neighbourhood, and opens the nearest listing.
    private static func showMap(_ person: AnlakaClient) async throws {
        let sketch = MapSketch(south: 37.42, west: 126.76, north: 37.70, east: 127.19)
        let box = "\(sketch.west),\(sketch.south),\(sketch.east),\(sketch.north)"
        let map = try await person.step("The person looks at Seoul. The server groups the pins.")
            .send(\.listClusters, query: "zoom=12&bbox=\(box)").json()
        let pins = try MapSketch.pins(map)
        for line in sketch.lines(pins) { Console.line("    │\(line)│") }
        Console.line("    \(pins.reduce(0) { $0 + $1.count }) listings in \(pins.count) pins")

        let near =
            try await person
            .step("The app's own map asks for what is around: here within 500 m of a place in Nowon.")
            .send(
                \.searchEstates,
                query: "longitude=127.045432300312&latitude=37.6522582058481&maxDistance=500"
            ).json()
        guard let first = near["data"]?[0] else { throw StackError("there is nothing on the map") }
        let id = try first.text("estate_id")
        let detail = try await person.step("It opens the nearest.").send(\.getEstate, id).json()
        guard first["geolocation"] == detail["geolocation"] else {
            throw StackError("the detail shows another place than the map")
        }
        Console.line(
            "    Both show the same place, 30 to 80 m off: where it is, the creator knows, and who reserves it."
        )
        try await person.step("The person likes it.").send(\.setEstateLike, id, body: ["like_status": true]).json()
        let liked = try await person.step("It is on their list.").send(\.listLikedEstates, query: "limit=5").json()
        guard try liked["data"]?[0]?.text("estate_id") == id else { throw StackError("the list of likes lacks it") }
        try await person.step("The home screen shows what others like.").send(\.listHotEstates).json()
        try await person.step("They search for a place.").send(\.searchPlaces, query: "query=상계동").json()
    }
}
