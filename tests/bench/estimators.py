#!/usr/bin/env python3
"""Estimators of scikit-learn, LightGBM, XGBoost and CatBoost, trained on drawn rows, as their converters write them, through one tree each beside onnxruntime.

    estimators.py --scratch FOLDER [--only REGEX] [--results FILE] [--rows N]
    estimators.py --scratch FOLDER --only-print

A model is judged as those of packages are (packages.py: two sizes, made-up inputs, double precision where they differ). What a converter does not
take is named and left out. `--rows` times forests of 100 trees instead, of one row and of N, one thread each.
Needs scikit-learn, skl2onnx, onnxmltools, lightgbm, xgboost, catboost beside onnxruntime: a scratch environment.
"""
import argparse
import os
import re
import sys
import tempfile
import time
import warnings

import numpy as np

import packages
from estimator_list import drawn, estimators, forests

HERE = os.path.dirname(os.path.abspath(__file__))


def converted(name, estimator, table):
    """An ONNX model's bytes."""
    import onnxmltools
    from onnxmltools.convert.common.data_types import FloatTensorType as Floats
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
    module = type(estimator).__module__.split(".")[0]
    width = table.shape[1]
    if module == "lightgbm":
        return onnxmltools.convert_lightgbm(estimator, initial_types=[("X", Floats([None, width]))], target_opset=15,
                                            zipmap="zipmap" in name).SerializeToString()
    if module == "xgboost":
        return onnxmltools.convert_xgboost(estimator, initial_types=[("X", Floats([None, width]))], target_opset=15).SerializeToString()
    if module == "catboost":
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            estimator.save_model(path, format="onnx")
            with open(path, "rb") as file:
                return file.read()
    if hasattr(table, "columns"):
        kinds = [(c, StringTensorType([None, 1]) if table[c].dtype.kind not in "fi" else
                  Int64TensorType([None, 1]) if table[c].dtype.kind == "i" else FloatTensorType([None, 1])) for c in table.columns]
    elif table.dtype.kind in "OU":
        kinds = [("X", StringTensorType([None, width]))]
    elif table.dtype.kind == "i":
        kinds = [("X", Int64TensorType([None, width]))]
    else:
        kinds = [("X", FloatTensorType([None, width]))]
    options = {}
    if hasattr(estimator, "classes_") and hasattr(estimator, "predict_proba") and "zipmap" not in name:
        options[id(estimator)] = {"zipmap": False}
    if name.startswith("raw"):
        options[id(estimator)] = {"zipmap": False, "raw_scores": True}
    return to_onnx(estimator, initial_types=kinds, options=options, target_opset={"": 18, "ai.onnx.ml": 3}).SerializeToString()


def made(options):
    """(name, path) of each estimator that its converter takes."""
    folder = os.path.join(options.scratch, "estimators")
    os.makedirs(folder, exist_ok=True)
    for name, estimator, kind in estimators():
        if not re.search(options.only, name):
            continue
        path = os.path.join(folder, name + ".onnx")
        if not os.path.exists(path):
            try:
                rows, labels = drawn(kind)
                estimator.fit(rows, labels)
                model = converted(name, estimator, rows)
            except Exception as error:  # of the converter, or an estimator that does not go with these rows
                print(f"{name}: left out: {(str(error).strip().splitlines() or [type(error).__name__])[0][:160]}", flush=True)
                continue
            with open(path, "wb") as out:
                out.write(model)
        yield name, path


def timed(options):
    """Fastest runs of forests, of one row and of many, beside onnxruntime on one thread."""
    import onnxruntime
    from tree import Tree, generate
    print("| forest | rows | burin ms | onnxruntime ms | ratio |\n|---|---|---|---|---|")
    for name, estimator, kind in forests():
        if not re.search(options.only, name):
            continue
        rows, labels = drawn(kind)
        path = os.path.join(options.scratch, name + ".onnx")
        estimator.fit(rows, labels)
        with open(path, "wb") as out:
            out.write(converted(name, estimator, rows))
        chosen = onnxruntime.SessionOptions()
        chosen.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, chosen, providers=["CPUExecutionProvider"])
        folder = os.path.join(options.scratch, "trees", name)
        generate(options.burin, path, options.config, folder, ["--name", name])
        tree = Tree(folder)
        tree.build(options.compiler, options.jobs)
        for count in (1, options.rows):
            given = {session.get_inputs()[0].name: np.resize(np.asarray(rows, np.float32), (count, rows.shape[1]))}
            theirs = dict(zip([o.name for o in session.get_outputs()], map(packages.as_array, session.run(None, given))))
            expected = {k: np.zeros(1 << 16, np.int64) if v is None or v.dtype.kind in "OU" else v for k, v in theirs.items()}
            tree.start(given, packages.dims_of(tree, given), expected)
            ours, others = [], []
            for _ in range(7):
                ours += tree.times(200 if count == 1 else 10)
                for _ in range(200 if count == 1 else 10):
                    begin = time.perf_counter()
                    session.run(None, given)
                    others.append(time.perf_counter() - begin)
            tree.stop()
            print(f"| {name} | {count} | {min(ours) * 1e3:.4f} | {min(others) * 1e3:.4f} | {min(ours) / min(others):.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names that hold it")
    parser.add_argument("--rows", type=int, help="times forests")
    packages.add_options(parser)
    options = packages.parsed(parser)
    warnings.filterwarnings("ignore")
    if options.child:
        return packages.run_one(options)
    if options.only_print:
        return packages.print_table(packages.read(options.results))
    if options.rows:
        return timed(options)
    for name, path in made(options):
        packages.judge("scikit-learn and others", path, ("e_" + name[:28]).rstrip("_"), [], options)


if __name__ == "__main__":
    main()
