import Files
import StackKit

/// The settings of backups in the environment of an installation.
package struct BackupSettings: Sendable {
    /// `BACKUP_TO`; nil if nothing is backed up.
    package let place: (any BackupPlace)?
    /// `BACKUP_KEEP`: for how many days any second can be restored.
    package let days: Int

    /// - Throws: `StackError` that names the setting.
    package init(environment: [String: String]) throws {
        let place = environment["BACKUP_TO"] ?? ""
        self.place = place.isEmpty ? nil : try Self.place(place, "BACKUP_TO", environment)
        let days = environment["BACKUP_KEEP"] ?? ""
        guard let number = days.isEmpty ? 7 : Int(days), number > 0 else {
            throw StackError("BACKUP_KEEP is \"\(days)\"; it is a number of days above 0")
        }
        self.days = number
    }

    /// The place with a name, or else that of the settings.
    package func place(named name: String?, _ environment: [String: String]) throws -> any BackupPlace {
        if let name { return try Self.place(name, "the place", environment) }
        guard let place else {
            throw StackError("no place of backups is set; name one: BACKUP_TO=/var/backups/madang")
        }
        return place
    }

    private static func place(
        _ name: String,
        _ setting: String,
        _ environment: [String: String]
    ) throws -> any BackupPlace {
        let name = String(name.reversed().drop { $0 == "/" }.reversed())
        if name.hasPrefix("/") { return FolderPlace(path: name) }
        guard name.wholeMatch(of: /https?:\/\/[^\/?#@ ]+\/[a-zA-Z0-9.\/_-]+/) != nil else {
            throw StackError(
                "\(setting) is \"\(name)\"; it is an absolute folder, as in /var/backups/madang, or a bucket, as in "
                    + "https://kr.object.ncloudstorage.com/bucket"
            )
        }
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let id = value("BACKUP_S3_KEY_ID"), let secret = value("BACKUP_S3_SECRET") else {
            throw StackError("\(setting) is a bucket; set its access key as well: BACKUP_S3_KEY_ID, BACKUP_S3_SECRET")
        }
        let region = value("BACKUP_S3_REGION") ?? "us-east-1"
        return S3Place(bucket: S3Bucket(url: name, prefix: "", region: region, key: S3Key(id: id, secret: secret)))
    }
}
