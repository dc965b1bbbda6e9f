"""Checks the manifests of Kubernetes without a cluster: `make kubernetes`, or `python3 deploy/kubernetes/check FOLDER`.

Each overlay is rendered by `kubectl kustomize`. Every object is validated against the schemas of Kubernetes or of its
CustomResourceDefinition, and against what the programs need. Each fault is a sentence that names file and field.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

try:
    import databases
    import network
    import schemas
    import settings
    import workloads
    from compose import Compose
    from objects import Unusable, render
except ModuleNotFoundError as missing:
    sys.exit(f"the check of the manifests needs {missing.name}: python3 -m pip install kubernetes-validate")


def faults(folder: Path, root: Path) -> list[str]:
    """What is wrong with an overlay. `root` has base, components and overlays."""
    compose = Compose()
    overlay = render(folder, root)
    schemas.check(overlay)
    # What has another form than its schema cannot be judged.
    if not overlay.faults:
        settings.check(overlay, compose)
        databases.check(overlay, root)
        workloads.check(overlay, compose)
        network.check(overlay, compose)
    return overlay.faults


def main() -> int:
    root = HERE.parent
    folders = [Path(name) for name in sys.argv[1:]] or sorted(p for p in (root / "overlays").iterdir() if p.is_dir())
    count = 0
    for folder in folders:
        try:
            found = faults(folder, root)
        except Unusable as reason:
            found = [f"{reason}."]
        for fault in dict.fromkeys(found):
            print(f"{folder.name}: {fault}", file=sys.stderr)
        if not found:
            print(f"{folder.name}: the manifests are valid")
        count += len(found)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
