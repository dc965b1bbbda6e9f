#!/bin/sh
# Writes a Swift file with a constant of bytes for each of the given files: texts as string literals, pictures in base64,
# YAML as JSON.
# usage: embed.sh CONVERTER OUTPUT FILE…
set -eu

converter=$1
output=$2
shift 2
{
    echo 'import FoundationEssentials'
    echo
    echo 'enum PackageResources {'
    for file; do
        name=$(basename "$file" | sed 's/[^A-Za-z0-9]/_/g; s/^[0-9]/_/')
        case $file in
        *.png)
            printf '    static let %s = [UInt8](Data(base64Encoded: "' "$name"
            base64 -w0 "$file"
            printf '") ?? Data())\n'
            ;;
        *.yaml)
            # JSON has no line ends, and no """ either, so it can stand in a literal as it is.
            printf '    static let %s_json = Array(###"""\n' "${name%_yaml}"
            "$converter" "$file"
            printf '"""###.utf8)\n'
            ;;
        *)
            # A literal would change line ends, and end early.
            if grep -q -e "$(printf '\r')" -e '"""###' "$file"; then
                echo "$file has a carriage return or \"\"\"###, which cannot be embedded" >&2
                exit 1
            fi
            printf '    static let %s = Array(###"""\n' "$name"
            cat "$file"
            printf '\n"""###.utf8)\n'
            ;;
        esac
    done
    echo '}'
} >"$output.new"

# The build runs this whenever the converter was linked, and compiles the target whenever the output was written.
if cmp -s "$output.new" "$output"; then rm "$output.new"; else mv "$output.new" "$output"; fi
