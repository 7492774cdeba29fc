#!/usr/bin/env python3
"""Writes onnx_schemas.txt: what every operator of ai.onnx takes, version by version.

    python3 tests/ops/data/onnx_schemas.py [LATEST OPSET] > tests/ops/data/onnx_schemas.txt

Needs the `onnx` package, newer than the one that burin is built with. The test that compares the
declarations in generator/ops with it (tests/ops/schema_test.cpp) reads only the text.

    types N TYPE ...              a set of element types, by number
    op NAME SINCE [deprecated]    one version of an operator, and below it its
    in NAME ARITY N               inputs, with the number of their set of types,
    out NAME ARITY N              outputs,
    attr NAME KIND [required]     attributes
"""
import sys

from onnx import defs

TYPES = {
    "float16": "f16", "bfloat16": "bf16", "float": "f32", "double": "f64", "int8": "i8",
    "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "bool": "boolean", "int4": "i4", "uint4": "u4",
    "float8e4m3fn": "f8e4m3fn", "float8e4m3fnuz": "f8e4m3fnuz", "float8e5m2": "f8e5m2",
    "float8e5m2fnuz": "f8e5m2fnuz", "float8e8m0": "f8e8m0", "float4e2m1": "f4e2m1", "int2": "i2", "uint2": "u2",
}
KINDS = {
    "INT": "integer", "FLOAT": "real", "STRING": "text", "TENSOR": "tensor", "SPARSE_TENSOR": "tensor", "GRAPH": "block",
    "INTS": "integers", "FLOATS": "reals", "STRINGS": "texts", "TYPE_PROTO": "text",
}


def type_name(text):
    if not text.startswith("tensor("):
        return {"seq": "sequence"}.get(text.split("(")[0], text.split("(")[0])  # optional, map
    element = text[len("tensor("):-1]
    return TYPES.get(element, element)


def main():
    latest = int(sys.argv[1]) if len(sys.argv) > 1 else 28
    numbers, lines = {}, []

    def types_of(formal):
        names = tuple(sorted({type_name(text) for text in formal.types}))
        return numbers.setdefault(names, len(numbers))

    def arity_of(formal):
        option = formal.option.name if hasattr(formal.option, "name") else str(formal.option)
        return {"Single": "required", "Optional": "optional", "Variadic": "variadic"}[
            option.split(".")[-1]]

    schemas = [s for s in defs.get_all_schemas_with_history()
               if s.domain == "" and s.since_version <= latest]
    for schema in sorted(schemas, key=lambda s: (s.name, s.since_version)):
        lines.append(f"op {schema.name} {schema.since_version}"
                     + (" deprecated" if schema.deprecated else ""))
        for keyword, formals in (("in", schema.inputs), ("out", schema.outputs)):
            for formal in formals:
                lines.append(f"{keyword} {formal.name} {arity_of(formal)} {types_of(formal)}")
        for name, attribute in sorted(schema.attributes.items()):
            kind = attribute.type.name if hasattr(attribute.type, "name") else str(attribute.type)
            kind = kind.split(".")[-1]
            lines.append(f"attr {name} {KINDS.get(kind, kind.lower())}"
                         + (" required" if attribute.required else ""))
    for names, number in numbers.items():
        print(f"types {number} {' '.join(names)}")
    print("\n".join(lines))


main()
