import AppClients

extension Stage {
    /// Joins and signs in with an e-mail address of the own.
    ///
    /// - Parameter isSignedIn: Whether the answer to joining has tokens.
    func member(_ name: String, nick: String, isSignedIn: Bool) async throws -> Person {
        if let lent = lent(name) { return lent }
        let person = stranger(name)
        let number = UInt32.random(in: 0...UInt32.max)
        let (email, password) = ("conform-\(number)@example.com", "conform2025!")
        let body: RequestBody = [
            "email": .string(email), "password": .string(password), "nick": .string("\(nick)\(number)"),
        ]
        let joined = try await person.ask("POST /v1/users/join", body: body)
        try await person.refused("POST /v1/users/join", body: body, with: 409, when: "address in use")
        let credentials: RequestBody = ["email": .string(email), "password": .string(password)]
        let signedIn = try await person.ask("POST /v1/users/login", body: credentials)
        person.keep(signedIn)
        person.connection.userID = try (isSignedIn ? signedIn : joined).text("user_id")
        let wrong: RequestBody = ["email": .string(email), "password": "wrong"]
        try await stranger().refused("POST /v1/users/login", body: wrong, with: 401, when: "wrong password")
        let empty: RequestBody = ["email": .string(email), "password": ""]
        try await stranger().refused("POST /v1/users/login", body: empty, with: 400, when: "empty password")
        return person
    }
}

extension Person {
    /// The user's id in the app.
    var id: String { connection.userID }

    /// Reads the own id of an account whose tokens are lent.
    func identify() async throws {
        guard connection.userID.isEmpty else { return }
        connection.userID = try await look("/v1/users/me/profile").text("user_id")
    }
}
