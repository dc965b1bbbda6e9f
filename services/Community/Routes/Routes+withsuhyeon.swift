import Contracts
import Files
import Hummingbird
import ServiceHost

extension Routes {
    /// With Suhyeon (contract 1.2).
    func withSuhyeon(_ open: RouterGroup<AppRequestContext>) {
        let app = open.signedIn
        let companions = CompanionRoutes(companions: domain.companions)
        app.get("api/v1/home", use: companions.home)
        app.get("api/v1/posts", use: companions.list)
        app.post("api/v1/posts", use: companions.create)
        app.get("api/v1/posts/:postId", use: companions.show)
        app.delete("api/v1/posts/:postId", use: companions.delete)
        app.patch("api/v1/posts/:postId/matching", use: companions.setMatching)
        app.get("api/v1/mypage/posts", use: companions.own)

        let gallery = GalleryRoutes(gallery: domain.gallery)
        app.get("api/v1/galleries", use: gallery.list)
        app.post("api/v1/galleries", use: gallery.create)
        app.get("api/v1/galleries/:galleryId", use: gallery.show)
        app.delete("api/v1/galleries/:galleryId", use: gallery.delete)
        app.get("api/v1/mypage/galleries", use: gallery.own)
        // Fetched by the phone's image library, without a token; caches between may not keep what can be deleted.
        let pictures = FileRoutes(attachments: domain.attachments, app: .withsuhyeon, sharing: .caller)
        open.get("api/v1/galleries/images/:name", use: pictures.show)

        let reports = CompanionReportRoutes(reports: domain.reports)
        app.post("api/v1/posts/:postId/reports", use: reports.post)
        app.post("api/v1/galleries/:galleryId/reports", use: reports.picture)

        let enums = EnumRoutes(publicURL: domain.publicURL)
        open.get("api/v1/enums/regions", use: enums.regions)
        open.get("api/v1/enums/categories", use: enums.categories)
        open.get("api/v1/enums/categories/:name", use: enums.symbol)
    }
}
