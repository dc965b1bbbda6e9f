import Contracts
import TestKit
import Testing

@testable import Community

@Suite struct ReportSubjectTests {
    @Test func missingContent_hasErrorOfItsKind() {
        #expect(ReportSubject(.post, id: 1).kind.missing as? CommunityError == .postNotFound)
        #expect(ReportSubject(.companionPost, id: 1).kind.missing as? CompanionError == .postNotFound)
        #expect(ReportSubject(.galleryItem, id: 1).kind.missing as? GalleryError == .itemNotFound)
    }

    @Test func id_namesItsKind() {
        #expect(ReportSubject(PostID(rawValue: 1)).kind == .post)
        #expect(ReportSubject(CompanionPostID(rawValue: 1)).kind == .companionPost)
        #expect(ReportSubject(GalleryItemID(rawValue: 1)).kind == .galleryItem)
    }
}
