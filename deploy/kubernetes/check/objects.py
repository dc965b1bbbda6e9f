"""The objects of an overlay, as kustomize renders them, and the files that declare them."""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unusable(Exception):
    """The check cannot go on."""


@dataclass
class Object:
    data: dict
    file: str

    @property
    def kind(self) -> str:
        return self.data.get("kind", "")

    @property
    def name(self) -> str:
        return self.data.get("metadata", {}).get("name", "")

    @property
    def spec(self) -> dict:
        return self.data.get("spec", {})

    @property
    def template(self) -> dict:
        return self.spec.get("template", {})

    @property
    def labels(self) -> dict:
        """Of its pods."""
        return self.template.get("metadata", {}).get("labels", {})

    @property
    def containers(self) -> list[dict]:
        return self.template.get("spec", {}).get("containers", [])


@dataclass
class Overlay:
    folder: Path
    objects: list[Object]
    faults: list[str] = field(default_factory=list)

    def all(self, *kinds: str) -> list[Object]:
        return [object for object in self.objects if object.kind in kinds]

    def find(self, kind: str, name: str) -> Object | None:
        return next((object for object in self.all(kind) if object.name == name), None)

    def fault(self, object: Object, path: str, message: str) -> None:
        place = f"{object.kind} {re.sub('-[a-z0-9]{10}$', '', object.name)}"
        self.faults.append(f"{object.file}: {place}: {path}: {message}.")


def render(folder: Path, root: Path) -> Overlay:
    """Renders an overlay.

    Raises `Unusable` if kubectl is missing or kustomize refuses the overlay.
    """
    if not shutil.which("kubectl"):
        raise Unusable("kubectl is missing: install the package kubectl, or kubernetes-client")
    result = subprocess.run(["kubectl", "kustomize", str(folder)], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        lines = [line for line in result.stderr.splitlines() if not line.startswith("#")]
        raise Unusable(f"{folder}: kustomize refuses it: {' '.join(lines)}")
    files = declarations(root)
    objects = []
    for data in yaml.load_all(result.stdout, LOADER):
        name = re.sub("-[a-z0-9]{10}$", "", data["metadata"]["name"]) if data["kind"] == "ConfigMap" else None
        key = (data["kind"], name or data["metadata"]["name"])
        objects.append(Object(data, files.get(key) or files.get(("ConfigMap", name)) or str(folder)))
    return Overlay(folder, objects)


def declarations(root: Path) -> dict[tuple[str, str], str]:
    """The file that declares an object, by its kind and name; that of the base before a patch of it."""
    files: dict[tuple[str, str], str] = {}
    for part in ["base", "components", "overlays"]:
        for path in sorted((root / part).rglob("*.yaml")):
            text = path.read_text()
            if path.name == "kustomization.yaml":
                for name in re.findall(r"\{ name: ([a-z]+), envs: \[(\S+)\]", text):
                    files.setdefault(("ConfigMap", name[0]), str((path.parent / name[1]).relative_to(root.parents[1])))
                continue
            for document in yaml.load_all(text, LOADER):
                if isinstance(document, dict) and "metadata" in document:
                    key = (document["kind"], document["metadata"]["name"])
                    files.setdefault(key, str(path.relative_to(root.parents[1])))
    return files
