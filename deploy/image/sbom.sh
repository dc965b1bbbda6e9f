#!/bin/sh
# Prints the software bill of materials of the image as CycloneDX: the Swift packages that the programs are linked with, of the
# Package.resolved given, and the packages of Debian in the file system that it runs in.
# usage: sbom.sh PACKAGE_RESOLVED MADANG_VERSION SWIFT_VERSION
set -eu

{
    printf 'swift\t%s\tpkg:generic/swift@%s\n' "$3" "$3"
    # A pin has its identity, then its location, then its version, or only its revision; one in each line.
    awk -F '"' '
        $2 == "location" { location = $4 }
        $2 == "revision" { version = $4 }
        $2 == "version" && location != "" { version = $4 }
        /^    }/ && location != "" {
            sub(/^[a-z]*:\/\//, "", location); sub(/\.git$/, "", location)
            name = location; sub(/.*\//, "", name)
            printf "%s\t%s\tpkg:swift/%s@%s\n", name, version, location, version
            location = ""
        }' "$1"
    dpkg-query --show --showformat '${Package}\t${Version}\tpkg:deb/debian/${Package}@${Version}?arch=${Architecture}\n'
} | awk -F '\t' -v version="$2" '
    function quoted(text) { gsub(/["\\]/, "\\\\&", text); return "\"" text "\"" }
    BEGIN {
        print "{\"bomFormat\": \"CycloneDX\", \"specVersion\": \"1.5\", \"version\": 1,"
        print " \"metadata\": {\"component\": {\"type\": \"application\", \"name\": \"madang\", \"version\": " quoted(version) "}},"
        printf " \"components\": ["
    }
    {
        gsub(/\+/, "%2B", $3)
        printf "%s\n  {\"type\": \"library\", \"bom-ref\": %s, \"name\": %s, \"version\": %s, \"purl\": %s}",
            (NR > 1 ? "," : ""), quoted($3), quoted($1), quoted($2), quoted($3)
    }
    END { print "\n ]}" }'
