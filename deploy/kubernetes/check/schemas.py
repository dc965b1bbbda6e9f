"""Every object against the schemas of Kubernetes, and custom resources against the schemas stored in `schemas/`."""

import functools
import json
from pathlib import Path

import jsonschema
import kubernetes_validate
import kubernetes_validate.utils

from objects import Overlay

FOLDER = Path(__file__).resolve().parents[1] / "schemas"
# The package reads its schemas anew for every object, which takes most of the time.
kubernetes_validate.utils.schema_contents = functools.cache(kubernetes_validate.utils.schema_contents)
# The oldest version with everything that the manifests use, and the newest that is known.
VERSIONS = ["1.32", kubernetes_validate.latest_version()]


def check(overlay: Overlay) -> None:
    own = {json.loads(path.read_text())["title"].split()[0].lower(): path for path in FOLDER.glob("*.json")}
    for object in overlay.objects:
        path = own.get(object.kind.lower())
        if path:
            validator = jsonschema.Draft7Validator(json.loads(path.read_text()))
            error = jsonschema.exceptions.best_match(validator.iter_errors(object.data))
            if error:
                overlay.fault(object, place(error), sentence(error))
            continue
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(object.data, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                overlay.fault(object, place(error), f"{sentence(error)} (Kubernetes {version})")
                break
            except kubernetes_validate.SchemaNotFoundError:
                overlay.fault(object, "kind", f"Kubernetes {version} has no such kind in {object.data['apiVersion']}")
                break


def place(error: jsonschema.ValidationError) -> str:
    return error.json_path.removeprefix("$").lstrip(".") or "the object"


def sentence(error: jsonschema.ValidationError) -> str:
    if error.validator == "type":
        wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        return f"must be of type {' or '.join(wanted)}, and is {json.dumps(error.instance)[:60]}"
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema.get("properties", {})))
        return f"has no field named {', '.join(unknown)}"
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return f"lacks {', '.join(missing)}"
    return error.message[:200]
