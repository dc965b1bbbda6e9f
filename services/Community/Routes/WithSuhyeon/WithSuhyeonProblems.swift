import Apps
import ServiceKit

// With Suhyeon's codes (contract 1.5). Missing objects give 410: on 404 the app ends its session.

extension CompanionError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .postNotFound: Problem(.notFound, code: "POST_006", message: "There is no such post.")
        case .notYours: Problem(.notOwner, code: "POST_005", message: "This post belongs to another user.")
        case .priceOutOfRange:
            Problem(.invalid, code: "POST_001", message: "price must be from 0 to 100000 won.")
        case .ageUnknown: Problem(.invalid, code: "POST_002", message: "age is none of the app's.")
        case .regionUnknown: Problem(.invalid, code: "POST_003", message: "region is none of the app's.")
        case .requestUnknown:
            Problem(.invalid, code: "POST_004", message: "requests has one that is none of the app's.")
        }
    }
}

extension GalleryError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .itemNotFound: Problem(.notFound, code: "GALLERY_005", message: "There is no such picture.")
        case .notYours: Problem(.notOwner, code: "GALLERY_006", message: "This picture belongs to another user.")
        case .categoryUnknown: Problem(.invalid, code: "CONSTANT_001", message: "category is none of the app's.")
        case .notAPicture:
            Problem(.invalid, code: "FILE_001", message: "image must be a JPEG, PNG, GIF or WebP picture.")
        case .notStored: Problem(.invalid, code: "FILE_002", message: "image cannot be stored now; try again.")
        }
    }
}
