import FoundationEssentials
import PackagePlugin

/// Embeds the files beside a target's Swift code in the binary, as `PackageResources.NAME_ENDING`: an array of bytes.
/// `NAME.yaml` is embedded as JSON, as `PackageResources.NAME_json`.
///
/// SwiftPM's own `.embedInCode` writes an integer for each byte, which takes the compiler forty times as long as a
/// text.
@main struct EmbedResources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        let files = module.sourceFiles.filter { $0.type == .unknown }.map(\.url).sorted { $0.path < $1.path }
        guard !files.isEmpty else { return [] }
        let script = context.package.directoryURL.appending(path: "shared/Tools/EmbedResources/embed.sh")
        let converter = try context.tool(named: "YAMLToJSON").url
        let tools = files.contains { $0.pathExtension == "yaml" } ? [script, converter] : [script]
        let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
        return [
            .buildCommand(
                displayName: "Embedding the resources of \(target.name)",
                executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, converter.path, output.path] + files.map(\.path),
                inputFiles: tools + files,
                outputFiles: [output]
            )
        ]
    }
}
