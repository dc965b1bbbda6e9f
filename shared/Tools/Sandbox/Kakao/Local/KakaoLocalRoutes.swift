import Hummingbird

/// `GET /v2/local/search/address.json`, `/v2/local/search/keyword.json`, `/v2/local/geo/coord2address.json`.
struct KakaoLocalRoutes: Sendable {
    let regions: KakaoRegions
    let key: String

    /// The maximum number of documents accessible for a keyword.
    private static let keywordLimit = 45

    func add(to group: RouterGroup<SandboxContext>) {
        group.get("v2/local/search/address.json", use: address)
        group.get("v2/local/search/keyword.json", use: keyword)
        group.get("v2/local/geo/coord2address.json", use: addressOfPlace)
    }

    private func address(_ request: Request, _ context: SandboxContext) throws -> Response {
        try check(request)
        let query = try query(of: request)
        let page = try Page(request, largest: 30, usual: 10)
        let found = regions.addresses(matching: query)
        return try answer(page, found.map(KakaoLocalAnswers.Address.init), total: found.count, sameName: nil)
    }

    private func keyword(_ request: Request, _ context: SandboxContext) throws -> Response {
        try check(request)
        let query = try query(of: request)
        let page = try Page(request, largest: 15, usual: 15)
        let centre = try place(of: request)
        let radius = try request.integer("radius", in: 0...20_000)
        let sort = request.uri.queryParameters["sort"] ?? "accuracy"
        guard sort == "accuracy" || sort == "distance" else { throw KakaoLocalError.wrong("sort is wrong") }
        let words = query.split(separator: " ")
        var found = regions.places.filter { $0.matches(words) }.map { place in
            (place: place, distance: centre.map { $0.distance(to: place.address) })
        }
        if let radius, centre != nil { found.removeAll { ($0.distance ?? 0) > Double(radius) } }
        if sort == "distance", centre != nil { found.sort { ($0.distance ?? 0) < ($1.distance ?? 0) } }
        let documents = found.prefix(Self.keywordLimit).map {
            KakaoLocalAnswers.Place($0.place, distance: $0.distance)
        }
        return try answer(page, documents, total: found.count, sameName: .init(keyword: query))
    }

    private func addressOfPlace(_ request: Request, _ context: SandboxContext) throws -> Response {
        try check(request)
        guard let place = try place(of: request) else { throw KakaoLocalError.missing("x") }
        let found = regions.address(latitude: place.y, longitude: place.x)
        return try .snakeJSON(Spots(found.map { [KakaoLocalAnswers.Spot($0)] } ?? []))
    }

    private struct Spots: Encodable {
        var meta: KakaoLocalAnswers.Count
        var documents: [KakaoLocalAnswers.Spot]

        init(_ documents: [KakaoLocalAnswers.Spot]) {
            meta = KakaoLocalAnswers.Count(totalCount: documents.count)
            self.documents = documents
        }
    }

    private func check(_ request: Request) throws {
        guard let credentials = request.credentials("KakaoAK") else { throw KakaoLocalError.noKey }
        guard credentials == key else { throw KakaoLocalError.wrongKey }
    }

    private func query(of request: Request) throws -> String {
        guard let query = request.uri.queryParameters["query"], query.contains(where: { !$0.isWhitespace }) else {
            throw KakaoLocalError.missing("query")
        }
        return String(query)
    }

    /// `x` and `y`; nil if both are missing.
    private func place(of request: Request) throws -> Place? {
        let (x, y) = (request.uri.queryParameters["x"], request.uri.queryParameters["y"])
        guard x != nil || y != nil else { return nil }
        guard let x else { throw KakaoLocalError.missing("x") }
        guard let y else { throw KakaoLocalError.missing("y") }
        guard let longitude = Double(x), let latitude = Double(y), (-180...180).contains(longitude),
            (-90...90).contains(latitude)
        else { throw KakaoLocalError.wrong("x or y is out of range") }
        return Place(x: longitude, y: latitude)
    }

    private func answer<Document: Encodable>(
        _ page: Page,
        _ documents: [Document],
        total: Int,
        sameName: KakaoLocalAnswers.SameName?
    ) throws -> Response {
        let meta = KakaoLocalAnswers.Meta(
            totalCount: total,
            pageableCount: documents.count,
            isEnd: page.number * page.size >= documents.count,
            sameName: sameName
        )
        return try .snakeJSON(KakaoLocalAnswers.Page(meta: meta, documents: Array(page.cut(documents))))
    }
}

extension KakaoLocalRoutes {
    /// A place on the globe, in degrees.
    private struct Place {
        var x: Double
        var y: Double

        /// Metres.
        func distance(to address: KakaoAddress) -> Double {
            let (north, east) = ((address.latitude - y) * 111_195, (address.longitude - x) * 88_120)
            return (north * north + east * east).squareRoot()
        }
    }

    /// The requested page of the documents.
    private struct Page {
        var number: Int
        var size: Int

        init(_ request: Request, largest: Int, usual: Int) throws {
            number = try request.integer("page", in: 1...45) ?? 1
            size = try request.integer("size", in: 1...largest) ?? usual
        }

        /// The documents of the page; beyond the last page the last one is repeated.
        func cut<Document>(_ documents: [Document]) -> ArraySlice<Document> {
            guard !documents.isEmpty else { return [] }
            let first = min((number - 1) * size, (documents.count - 1) / size * size)
            return documents[first..<min(first + size, documents.count)]
        }
    }
}

extension Request {
    /// An integer of the query; nil if it is missing.
    fileprivate func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = uri.queryParameters[name[...]] else { return nil }
        guard let number = Int(text) else { throw KakaoLocalError.wrong("\(name) is not an integer") }
        guard number >= range.lowerBound else { throw KakaoLocalError.wrong("\(name) is less than min") }
        guard number <= range.upperBound else { throw KakaoLocalError.wrong("\(name) is more than max") }
        return number
    }
}
