"""Whose a difference is: a graph in double precision, node by node, and what roundings do to it.

Of a case that differs, `judge` computes three results that were rounded (the tree's, the interpreter's and onnxruntime's) and the exact one.
`spread` is how far the exact one moves when every result that f32 (or f16) does not hold is off by two roundings, and every operand of a
sum that is not exact too. A result that is further off than the tolerance of burin verify and ALLOWED times that is wrong.
What is exact stays exact on the way, so that what jumps (floor, a comparison) jumps only behind a rounding.
"""
import math, os, subprocess, tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

DRAWS, MORE_DRAWS, ALLOWED = 8, 64, 8
SUMS = {"MatMul", "Gemm", "Conv", "ConvTranspose", "CumSum", "Einsum", "Sum", "ReduceSum", "ReduceL1", "ReduceSumSquare"}
# A result that is held is no accident of these only: what they divide by, or weights between 0 and 1, were rounded on the way.
DIVIDED = {"AveragePool", "GlobalAveragePool", "LSTM", "GRU", "RNN", "Softmax", "LogSoftmax", "LayerNormalization", "BatchNormalization",
           "InstanceNormalization", "GroupNormalization", "LpNormalization", "Mean", "ReduceMean", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
           "Resize"}
# Of operands that are rounded: what has no form in double precision, or only picks.
NARROW = {"QuantizeLinear", "DequantizeLinear", "GlobalMaxPool", "If"}
TOLERANCES = {TensorProto.FLOAT16: (6e-8, 2e-3), TensorProto.FLOAT: (1e-6, 1e-4), TensorProto.DOUBLE: (1e-14, 1e-12)}  # burin verify's
WIDTHS = {TensorProto.FLOAT: (np.float32, 2.0 ** -23), TensorProto.FLOAT16: (np.float16, 2.0 ** -10)}


def quiet():
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    return options


def wide(array):
    return array.astype(np.float64) if array.dtype in (np.float16, np.float32) else array


class Roundings(np.random.Generator):
    """Of a draw. Hard ones leave what the type holds."""

    def __init__(self, seed):
        super().__init__(np.random.PCG64(seed))
        self.hard = seed % 2 == 1


def captured(node):
    """Names that bodies of a node read, its own and those around."""
    graphs = [attribute.g for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]
    return [name for graph in graphs for inner in graph.node for name in (*inner.input, *captured(inner))]


def undefined(node, arrays):
    """Whether the specification says nothing of the result: numbers that an integer does not hold, a mean of nothing."""
    first = next(iter(arrays.values()), np.zeros(0))
    if node.op_type == "Cast" and first.dtype.kind == "f":
        kind = helper.tensor_dtype_to_np_dtype(next(one.i for one in node.attribute if one.name == "to"))
        return kind.kind in "iu" and not np.all((first >= np.iinfo(kind).min) & (first <= np.iinfo(kind).max))
    return node.op_type.startswith("Reduce") and node.op_type not in ("ReduceSum", "ReduceSumSquare", "ReduceL1", "ReduceL2") and first.size == 0


class Exact:
    """The nodes of a model as functions of arrays in double precision."""

    def __init__(self, model):
        inferred = onnx.shape_inference.infer_shapes(model).graph
        self.model, self.ways, self.undefined = model, {}, False
        self.kinds = {one.name: one.type.tensor_type.elem_type for one in (*inferred.value_info, *inferred.output, *inferred.input)}
        self.kinds.update({one.name: one.data_type for one in model.graph.initializer})
        self.constants = {one.name: wide(numpy_helper.to_array(one)) for one in model.graph.initializer}

    def alone(self, node, arrays, narrow):
        """A model of one node. In double precision unless `narrow`."""
        kinds = {name: self.kinds[name] if narrow else helper.np_dtype_to_tensor_dtype(array.dtype) for name, array in arrays.items()}
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copy.name = ""
        for attribute in copy.attribute:
            if not narrow and attribute.name in ("to", "dtype") and attribute.i in WIDTHS:
                attribute.i = TensorProto.DOUBLE
        outputs = [helper.make_tensor_value_info(name, self.kinds[name] if narrow or self.kinds[name] not in WIDTHS else TensorProto.DOUBLE, None)
                   for name in node.output if name]
        graph = helper.make_graph([copy], "one", [helper.make_tensor_value_info(name, kinds[name], array.shape) for name, array in arrays.items()],
                                  outputs)
        return helper.make_model(graph, opset_imports=self.model.opset_import, ir_version=10)

    def ways_of(self, node, arrays):
        """What may compute a node. onnxruntime keeps extents of what is empty that the specification drops."""
        def by_onnxruntime(narrow):
            session = onnxruntime.InferenceSession(self.alone(node, arrays, narrow).SerializeToString(), quiet(), providers=["CPUExecutionProvider"])
            dtypes = {name: helper.tensor_dtype_to_np_dtype(self.kinds[name]) for name in arrays}
            return lambda given: session.run(None, {n: a.astype(dtypes[n]) for n, a in given.items()} if narrow else given)
        def by_reference():
            evaluator = ReferenceEvaluator(self.alone(node, arrays, False))
            return lambda given: evaluator.run(None, given)
        if node.op_type == "Erf":  # in single precision everywhere
            yield lambda: lambda given: [np.asarray(np.vectorize(math.erf, [np.float64])(next(iter(given.values()))))]
        if node.op_type not in NARROW:
            ways = [lambda: by_onnxruntime(False), by_reference]
            yield from ways if all(array.size for array in arrays.values()) else ways[::-1]
        yield lambda: by_onnxruntime(True)

    def compute(self, index, node, arrays):
        for make in [lambda: self.ways[index]] if index in self.ways else self.ways_of(node, arrays):
            try:
                way = make()
                out = [wide(np.asarray(one)) for one in way(arrays)]
                self.ways[index] = way
                return out
            except Exception as error:
                last = error
        raise last

    def run(self, inputs, numbers=None):
        """Every result of the graph; with roundings that `numbers` draws."""
        values = dict(self.constants, **{name: wide(array) for name, array in inputs.items()})
        for index, node in enumerate(self.model.graph.node):
            if node.op_type == "Constant":
                values[node.output[0]] = wide(np.asarray(ReferenceEvaluator(self.alone(node, {}, True)).run(None, {})[0]))
                continue
            arrays = {name: values[name] for name in (*node.input, *captured(node)) if name in values}
            self.undefined = self.undefined or undefined(node, arrays)
            results = self.compute(index, node, arrays)
            if numbers is not None:
                moved, divided = results, node.op_type in DIVIDED and not any(one.s == b"nearest" for one in node.attribute)
                if divided or node.op_type in SUMS:
                    moved = self.compute(index, node, {
                        name: self.off(name, array, numbers) if node.op_type != "Resize" or name == node.input[0] else array
                        for name, array in arrays.items()})
                names = [name for name in node.output if name]
                results = [self.rounded(name, one, other, divided, numbers) for name, one, other in zip(names, results, moved)]
            values.update(zip([name for name in node.output if name], results))
        return [values[one.name] for one in self.model.graph.output]

    def off(self, name, array, numbers):
        if self.kinds[name] not in WIDTHS:
            return array
        return np.asarray(array * (1 + numbers.uniform(-1, 1, array.shape) * WIDTHS[self.kinds[name]][1]))

    def rounded(self, name, exact, moved, divided, numbers):
        if self.kinds.get(name) not in WIDTHS:
            return moved
        with np.errstate(over="ignore"):
            held = (exact.astype(WIDTHS[self.kinds[name]][0]) == exact) & (not divided)
            drawn = self.off(name, moved, numbers)
            if numbers.hard:  # a sum may become nothing so
                drawn = drawn.astype(WIDTHS[self.kinds[name]][0]).astype(np.float64)
        return np.where(held, exact, drawn)


def by_burin(burin, model, inputs, more):
    """Results of `burin run` by their names."""
    with tempfile.TemporaryDirectory(prefix="burin_judge_") as folder:
        np.savez(folder + "/all.npz", **inputs)
        done = subprocess.run([burin, "run", model, "--input", folder + "/all.npz", "-o", folder + "/out"] + more, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError("burin run: " + done.stderr.strip()[-300:])
        return {name[:-4]: np.load(folder + "/out/" + name) for name in os.listdir(folder + "/out")}


def furthest(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore"):
        apart = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
    return float(np.nan_to_num(apart, nan=np.inf).max(initial=0))


def judge(burin, model_path, inputs, others, of_tree, of_both):
    """The ways whose results are wrong, and how far they are off. `others`: results of more ways, by name lists in the graph's order."""
    model = onnx.load(model_path)
    results = {"tree": by_burin(burin, model_path, inputs, of_both + of_tree), "interpreter": by_burin(burin, model_path, inputs, of_both)}
    names = [one.name for one in model.graph.output]
    results.update({name: dict(zip(names, arrays)) for name, arrays in others.items()})
    exact = Exact(model)
    wanted = exact.run(inputs)
    if exact.undefined:
        return set(), "the specification says nothing of what it computes"
    draws = []
    for count in (DRAWS, MORE_DRAWS):
        draws += [exact.run(inputs, Roundings(seed)) for seed in range(len(draws), count)]
        wrong, notes = compared(exact, names, results, wanted, draws)
        if not wrong:
            break
    return wrong, "; ".join(notes[:4])


def compared(exact, names, results, wanted, draws):
    wrong, notes = set(), []
    for k, name in enumerate(names):
        absolute, relative = TOLERANCES.get(exact.kinds[name], (0, 0))
        allowed = relative * float(np.abs(wanted[k]).max(initial=0))
        spread = max(furthest(draw[k], wanted[k]) for draw in draws)
        for way, found in results.items():
            if name not in found:
                continue
            error = furthest(found[name], wanted[k]) if found[name].shape == wanted[k].shape else np.inf
            if error <= allowed:
                continue
            note = "%s of %s is off by %.2g, spread %.2g" % (name, way, error, spread)
            if error > absolute + allowed + ALLOWED * spread:
                wrong.add(way)
                notes.insert(0, note)
            else:
                notes.append(note)
    return wrong, notes
