import Contracts
import TestKit

@testable import Community

/// Tests write ids as plain numbers.
extension PostID: ExpressibleByIntegerLiteral {}
extension GalleryItemID: ExpressibleByIntegerLiteral {}
