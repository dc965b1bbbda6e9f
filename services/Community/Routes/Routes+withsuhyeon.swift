import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

extension Routes {
    /// With Suhyeon (contract 1.2).
    func withSuhyeon(_ app: AppRoutes<WithSuhyeon>) {
        let companions = CompanionRoutes(companions: domain.companions)
        app.on(\.getHome, use: companions.home)
        app.on(\.listPosts, use: companions.list)
        app.on(\.createPost, use: companions.create)
        app.on(\.getPost, use: companions.show)
        app.on(\.deletePost, use: companions.delete)
        app.on(\.setMatching, use: companions.setMatching)
        app.on(\.listOwnPosts, use: companions.own)

        let gallery = GalleryRoutes(gallery: domain.gallery)
        app.on(\.listGalleryPictures, use: gallery.list)
        app.on(\.createGalleryPicture, use: gallery.create)
        app.on(\.getGalleryPicture, use: gallery.show)
        app.on(\.deleteGalleryPicture, use: gallery.delete)
        app.on(\.listOwnGalleryPictures, use: gallery.own)
        // The client's image library sends no token. Shared caches must not store the images, since they can be
        // deleted.
        let pictures = FileRoutes(attachments: domain.attachments, app: .withsuhyeon, sharing: .caller)
        app.on(\.getGalleryImage) { (request, context: AppRequestContext) in
            try await pictures.show(request, context)
        }

        let reports = CompanionReportRoutes(reports: domain.reports)
        app.on(\.reportPost, use: reports.post)
        app.on(\.reportGalleryPicture, use: reports.picture)

        let enums = EnumRoutes(publicURL: domain.publicURL)
        app.on(\.listRegions, use: enums.regions)
        app.on(\.listCategories, use: enums.categories)
        app.on(\.getCategoryImage, use: enums.symbol)
    }
}
