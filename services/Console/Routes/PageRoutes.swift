import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit

/// The pages for operators.
struct PageRoutes {
    let domain: ConsoleDomain

    private static let listLength = 50
    /// About how many spans a part of a story has, of which a tree is made.
    private static let storyPart = 2000
    /// The number of lock screens of a story.
    private static let mostPushes = 6
    /// The longest text that is searched for, in characters.
    private static let longestQuery = 200

    /// `GET /console/now`.
    func now(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            visit.layout.response(
                visit.language("Now", "지금"),
                "now",
                try await now(visit.language),
                follows: true
            )
        }
    }

    private func now(_ language: Language) async throws -> HTML {
        async let arrows = domain.calls.lastHour()
        async let heat = domain.calls.heat()
        async let newest = domain.traces.stories(isFailed: true, limit: 10)
        return NowPage(arrows: try await arrows, heat: try await heat, newest: try await newest, language: language)
            .html
    }

    /// `GET /console/now/updates`: the page's content every few seconds, as server-sent events.
    func nowUpdates(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await domain.updates.answer(request) { visit in try await now(visit.language) }
    }

    /// `GET /console/story?q=…`: the story of an id, or those that it is in.
    func search(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let query = (request.query("q") ?? "").split { $0.isWhitespace || $0 == "\0" }.joined(separator: " ")
            let text = String(query.prefix(Self.longestQuery))
            let stories = try await stories(about: text)
            if text.isEmpty || stories.count != 1 {
                let page = SearchPage(query: text, stories: stories, language: visit.language)
                return visit.layout.response(visit.language("Story", "이야기"), "story", page.html, query: text)
            }
            return .seeOther("story/\(stories[0].trace.trace)")
        }
    }

    private func stories(about text: String) async throws -> [StorySummary] {
        guard !text.isEmpty else { return try await domain.traces.stories(isFailed: true, limit: Self.listLength) }
        // The number of a phone is in no trace; the account that has verified it is.
        let people = text.contains(where: \.isNumber) ? (try? await domain.people.find(text)) ?? [] : []
        // A code that has an app's key is in traces without it.
        let orders = text.contains("_") ? (try? await domain.money.find(text))?.orders ?? [] : []
        let values = [text, text.lowercased()] + people.map { "\($0.account)" } + orders.map(\.code)
        return try await domain.traces.stories(about: values, limit: Self.listLength)
    }

    /// `GET /console/story/TRACE?part=P&after=N`: a trace as a tree; of a long one a part.
    func story(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let number = max(0, request.query("part").flatMap { Int($0) } ?? 0)
            guard let trace = context.parameters.get("trace").flatMap({ UUID(trace: $0) }),
                case let part = try await domain.traces.part(number, of: trace, size: Self.storyPart),
                let story = Story(trace, part.spans)
            else {
                return visit.layout.response(
                    visit.language("No such story", "이야기가 없습니다"),
                    "story",
                    "<p>\(visit.language("It is older than a day, was not kept, or never was.", "하루가 지났거나, 보관되지 않았거나, 없는 ID입니다."))</p>",
                    status: .notFound
                )
            }
            let skipped = max(0, request.query("after").flatMap { Int($0) } ?? 0)
            let page = StoryPage(
                story: story,
                pushes: await pushes(of: story),
                language: visit.language,
                skipped: skipped,
                part: (number, part.parts)
            )
            return visit.layout.response(page.title, "story", page.html)
        }
    }

    /// The pushes of a story as phones have shown them; none without the stand-in for phones, or if it does not answer.
    private func pushes(of story: Story) async -> [SandboxControls.Push] {
        guard let sandbox = domain.sandbox else { return [] }
        var shown: [SandboxControls.Push] = []
        for id in story.pushes.prefix(Self.mostPushes) {
            guard let found = try? await sandbox.pushes(id: id) else { return shown }
            shown += found.prefix(1)
        }
        return shown
    }

    /// `GET /console/events`.
    func events(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let waiting = await domain.events.waiting()
            let page = EventsPage(waiting: waiting, visitor: visit.visitor, language: visit.language)
            return visit.layout.response(visit.language("Events", "이벤트"), "events", page.html)
        }
    }

    /// `POST /console/events/SERVICE/NUMBER/retry`: makes the deliveries of an event due.
    func retryEvent(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (_, reason) = try await visit.act(request, context)
            let unknown = Problem(.notFound, message: visit.language("There is no such event.", "그런 이벤트가 없습니다."))
            guard let service = context.parameters.get("service").flatMap(ServiceName.init(rawValue:)),
                let number = context.id("number")
            else { throw unknown }
            let subject = "\(service) \(number)"
            try await visit.record("retry event", on: subject, because: reason, in: domain.operators) {
                guard let count = try await domain.events.retry(number, of: service, by: visit.visitor.name) else {
                    throw unknown
                }
                return "\(count)"
            }
            return .seeOther("events")
        }
    }

    /// `GET /console/acts`.
    func acts(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let page = ActsPage(acts: try await domain.operators.acts(limit: Self.listLength), language: visit.language)
            return visit.layout.response(visit.language("Acts", "조치 기록"), "acts", page.html)
        }
    }
}
