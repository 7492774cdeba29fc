"""What a zoo folder says of its models, without their files: models/NAME.json."""
import json
import os


def model_names(zoo):
    return sorted(f[:-5] for f in os.listdir(os.path.join(zoo, "models")) if f.endswith(".json"))


def described(zoo, name):
    with open(os.path.join(zoo, "models", name + ".json"), encoding="utf-8") as text:
        return json.load(text)


def is_dynamic(entry):
    """Whether it has symbols, branches or loops."""
    return bool(entry.get("dims")) or any(op in entry["operators"] for op in ("If", "Loop", "Scan"))
