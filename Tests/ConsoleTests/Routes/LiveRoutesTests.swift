import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct LiveRoutesTests {
    private var world: ConsoleWorld { .current }

    @Test(.liveService) func overview_showsTrainsRoomsAndMap() async throws {
        let page = try await world.browser().get("live").text
        for part in [
            "/console/live/train/2234/2429", "/console/live/room/7", "/console/people?q=72", "<svg class=\"map small\"",
            "data-updates=\"/console/live/updates\"",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(!page.contains("does not answer"))
    }

    @Test(.liveService) func car_showsStatesOfSeats_byClassMarkAndTitle() async throws {
        let page = try await world.browser().get("live/train/2234/2429").text
        for part in [
            "<g class=\"seat taken\"><title>NORMAL_A_12 0: taken", "<g class=\"seat requested\"><title>NORMAL_A_12 1:",
            "<g class=\"seat overdue\"><title>NORMAL_A_12 2: about to be freed",
            "<g class=\"seat free\"><title>NORMAL_A_12 3",
            "3 of 12 seats", "/console/people?q=71", "/console/people?q=82", "강남", "ends at 성수",
            "data-updates=\"/console/live/train/2234/2429/updates\"", "/console/story?q=2234-2429",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(page.contains("&#60;b&#62;") && !page.contains("<b>"))
    }

    @Test(.liveService) func room_showsOrderAndReaders() async throws {
        let browser = try await world.browser()
        for id in ["7", "aaaaaaaaaaaaaaaaaaaaaaa7"] {
            let page = try await browser.get("live/room/\(id)").text
            for part in [
                "71 has read to 220", "72 has read to 150", "1000+", "180 edited", "<svg class=\"readers\"",
                "/console/people?q=72", "data-updates=\"/console/live/room/\(id)/updates\"", "0 / 1",
            ] {
                #expect(page.contains(part), "\(part)")
            }
            #expect(page.contains("&#60;b&#62;") && !page.contains("<b>"))
        }
    }

    @Test(.liveService) func map_hasLinksToCloserAreas() async throws {
        let browser = try await world.browser()
        let page = try await browser.get("live/map").text
        #expect(page.contains("<title>12 listings</title>") && page.contains(">12</text>"))
        let links = page.matches(of: /live\/map\?bbox=([0-9.,-]+)"/).map { String($0.1) }
        #expect(links.count >= 8)
        for link in Set(links) { #expect(try await browser.get("live/map?bbox=\(link)").status == .ok, "\(link)") }
    }

    @Test(
        .liveService,
        arguments: [
            "live/train/2234/2430", "live/train/9/2429", "live/train/%3Cb%3E/2429", "live/train/22%2634/2429",
            "live/train", "live/train?train=a/b&car=1", "live/room", "live/room/8", "live/room/%3Cb%3E",
            "live/room/a%00",
            "live/room?room=..%2Frooms", "live/map?bbox=", "live/map?bbox=1,2,3", "live/map?bbox=127.2,37.4,126.8,37.7",
            "live/map?bbox=nan,nan,nan,nan", "live/map?bbox=-180,-85,180,85", "live/map?bbox=1e9,0,1e9,1",
        ]
    )
    func unknownOrInvalid_isNotFound(path: String) async throws {
        let page = try await world.browser().get(path)
        #expect(page.status == .notFound && !page.text.contains("<b>"))
    }

    @Test(.liveService) func form_leadsToThePage() async throws {
        let browser = try await world.browser()
        let train = try await browser.get("live/train?train=K-05&car=2429")
        #expect(train.headers[.location] == "/console/live/train/K-05/2429")
        #expect(try await browser.get("live/room?room=8").headers[.location] == "/console/live/room/8")
    }

    @Test(.service) func silentService_isNamed() async throws {
        let browser = try await world.browser()
        let page = try await browser.get("live")
        #expect(page.status == .ok)
        for service in ["seats", "chat", "estate"] { #expect(page.text.contains("does not answer: \(service)</p>")) }
        for (path, service) in [("train/2234/2429", "seats"), ("room/7", "chat"), ("map", "estate")] {
            let page = try await browser.get("live/\(path)")
            #expect(page.status == .ok && page.text.contains("does not answer: \(service)</p>"), "\(path)")
        }
    }

    @Test(.service) func story_hasLinksToItsRoomAndCar() async throws {
        let ids = ["madang.room": "8", "madang.car": "K-05-2429"]
        try await world.report([StoredSpan(1, name: "POST /v1/chats", ids)])
        let page = try await world.browser().get("story/\(StoredSpan.trace(1))").text
        #expect(page.contains("\"/console/live/room/8\"") && page.contains("\"/console/live/train/K-05/2429\""))
    }
}
