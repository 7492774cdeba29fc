#!/usr/bin/env python3
"""Joins cases of different models to one: a model whose graph has all of theirs beside each other, and data sets
with the inputs and outputs of all. Names get the number of the model in front.

    join_models.py OUT CASE CASE ...     a case: a folder with model.onnx and test_data_set_<n>
"""
import os
import shutil
import sys

import onnx
from onnx import compose, helper


def data_sets(case):
    return sorted(name for name in os.listdir(case) if name.startswith("test_data_set_"))


def rename_sizes(graph, prefix):
    for value in [*graph.input, *graph.output, *graph.value_info]:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param:
                dim.dim_param = prefix + dim.dim_param


def main():
    out, cases = sys.argv[1], sys.argv[2:]
    graphs, opsets, ir_version = [], {}, 0
    for number, case in enumerate(cases):
        model = onnx.load(os.path.join(case, "model.onnx"))
        prefix = f"m{number}_"
        model = compose.add_prefix(model, prefix)
        rename_sizes(model.graph, prefix)
        graphs.append(model.graph)
        ir_version = max(ir_version, model.ir_version)
        for opset in model.opset_import:
            if opsets.setdefault(opset.domain, opset.version) != opset.version:
                sys.exit(f"{case}: opset {opset.version}, others have {opsets[opset.domain]}: convert it first")
    joined = helper.make_graph([n for g in graphs for n in g.node], "joined", [i for g in graphs for i in g.input],
                               [o for g in graphs for o in g.output], [t for g in graphs for t in g.initializer])
    model = helper.make_model(joined, opset_imports=[helper.make_opsetid(d, v) for d, v in opsets.items()])
    model.ir_version = ir_version
    os.makedirs(out, exist_ok=True)
    onnx.save(model, os.path.join(out, "model.onnx"))
    for sets in zip(*(data_sets(case) for case in cases)):
        to = os.path.join(out, sets[0])
        os.makedirs(to, exist_ok=True)
        for kind, values in (("input", "input"), ("output", "output")):
            count = 0
            for case, graph, name in zip(cases, graphs, sets):
                constants = {t.name for t in graph.initializer}
                fed = [v for v in getattr(graph, values) if v.name not in constants]
                for index in range(len(fed)):
                    shutil.copy(os.path.join(case, name, f"{kind}_{index}.pb"), os.path.join(to, f"{kind}_{count}.pb"))
                    count += 1


if __name__ == "__main__":
    main()
