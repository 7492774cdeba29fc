"""One random node and the data it gets: what the makers of this folder fill in."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE}
NARROW = {TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E4M3FNUZ, TensorProto.FLOAT8E5M2, TensorProto.FLOAT8E5M2FNUZ}
NIBBLES = {TensorProto.INT4, TensorProto.UINT4}
SIGNED = {TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64}
UNSIGNED = {TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64}
INTEGERS = SIGNED | UNSIGNED
SUPPORTED = FLOATS | NARROW | NIBBLES | INTEGERS | {TensorProto.BOOL}
BY_TEXT = {f"tensor({name.lower()})": number for name, number in TensorProto.DataType.items()}


def dtype_of(elem):
    return helper.tensor_dtype_to_np_dtype(elem)


class Case:
    """A node of `op` at opset `version`; makers append inputs and set attributes and outputs."""

    def __init__(self, rng, op, domain, version):
        self.rng, self.op, self.domain, self.version = rng, op, domain, version
        self.schema = onnx.defs.get_schema(op, version, domain) if onnx.defs.has(op, domain) else None
        self.inputs = []     # (array or None, element type, constant)
        self.attributes = {}
        self.outputs = 1     # how many, or a list of flags
        self.frozen = set()  # (input, dimension from the end) whose size decides a rank: never a symbol
        self.frozen_ones = False  # a 1 that is stretched stays 1 in every run
        self.specials = self.chance(.35)

    # --- choices ---
    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, values):
        values = list(values)
        return values[self.rng.integers(len(values))]

    def integer(self, low, high):
        """low <= result <= high"""
        return int(self.rng.integers(low, high + 1))

    def shape(self, low=0, high=4, least=1, most=5):
        return [self.integer(least, most) for _ in range(self.integer(low, high))]

    def allowed(self, name):
        """Element types that the schema allows for the formal or type parameter `name`."""
        texts = set()
        for constraint in self.schema.type_constraints:
            if constraint.type_param_str == name:
                texts |= set(constraint.allowed_type_strs)
        for formal in self.schema.inputs:
            if formal.name == name:
                texts |= set(formal.types)
        return {BY_TEXT[text] for text in texts if text in BY_TEXT} & SUPPORTED

    def type(self, name="T", among=None):
        """A type that the schema allows; f32 and i64 more often than others."""
        allowed = sorted(self.allowed(name) & (among or SUPPORTED))
        common = [t for t in allowed if t in (TensorProto.FLOAT, TensorProto.INT64, TensorProto.FLOAT16)]
        return self.pick(common if common and self.chance(.4) else allowed)

    def axis(self, rank, past=0):
        """An axis of a tensor of `rank`, counted from either end where the opset allows it."""
        axis = self.integer(0, rank - 1 + past)
        return axis - rank - past if self.version >= 11 and self.chance(.4) else axis

    def axes(self, rank, least=1):
        count = self.integer(min(least, rank), rank)
        axes = [int(a) for a in self.rng.permutation(rank)[:count]]
        return [a - rank if self.version >= 11 and self.chance(.3) else a for a in axes]

    def broadcastable(self, shape, multi=True):
        """A shape that broadcasts with `shape`."""
        out = [1 if self.chance(.25) else n for n in shape]
        if self.version < 7:
            return list(shape)
        return out[self.integer(0, len(out)):] if self.chance(.4) else out

    # --- values ---
    def numbers(self, elem, shape, kind="any"):
        """kind: any (special values too), normal, positive, unit (-1..1), small (small integers)"""
        shape, dtype = tuple(shape), dtype_of(elem)
        if elem == TensorProto.BOOL:
            return self.rng.integers(0, 2, shape).astype(bool)
        if elem in INTEGERS or elem in NIBBLES:
            info = ml_dtypes.iinfo(dtype)
            low, high = (int(info.min), int(info.max)) if kind == "any" and self.chance(.3) else (-9, 9)
            low = 1 if kind == "positive" else max(low, int(info.min))
            high = min(high, int(info.max))
            values = self.rng.integers(low, high, shape, dtype=np.uint64 if low >= 0 else np.int64, endpoint=True)
            return values.astype(dtype)
        values = self.rng.standard_normal(shape) * self.pick([1, 1, 4])
        if kind == "positive":
            values = np.abs(values) + .1
        if kind == "unit":
            values = np.tanh(values)
        if kind == "small":
            values = np.round(values * 2)
        if kind == "any" and self.specials and values.size:
            if elem in NARROW:
                odd = [0., -0., np.nan, .5, 1.5]
            else:
                tiny = float(ml_dtypes.finfo(dtype).smallest_subnormal)
                odd = self.pick([[np.nan, 0., 1.], [np.inf, -np.inf, 0.], [0., -0., tiny, -tiny],
                                 [.5, 1.5, 2.5, -.5, -1.5, 3.], [np.nan, np.inf, -np.inf, -0.]])
            values = np.where(self.rng.random(shape) < .4, self.rng.choice(odd, shape), values)
        with np.errstate(all="ignore"):
            return np.asarray(values).astype(dtype)

    # --- what the node has ---
    def add(self, elem, array, constant=False):
        array = np.asarray(array)
        self.inputs.append((array.astype(dtype_of(elem)) if array.dtype != dtype_of(elem) else array, elem, constant))
        return self

    def tensor(self, elem, shape, kind="any", constant=None):
        constant = self.chance(.2) if constant is None else constant
        return self.add(elem, self.numbers(elem, shape, kind), constant)

    def list(self, values, constant=None, elem=TensorProto.INT64):
        return self.add(elem, np.array(values), self.chance(.6) if constant is None else constant)

    def skip(self):
        self.inputs.append((None, 0, False))
        return self

    def set(self, **attributes):
        self.attributes.update({k: v for k, v in attributes.items() if v is not None})
        return self

    def freeze(self, *last):
        """Sizes of the newest input, counted from its end, that stay numbers."""
        self.frozen |= {(len(self.inputs) - 1, k) for k in last}
        return self

    def maybe(self, probability=.5, **attributes):
        return self.set(**attributes) if self.chance(probability) else self


def build(case, symbolic, ir_version=10):
    """The model, the fed inputs as {name: (array, element type)}, and names of the outputs."""
    while case.inputs and case.inputs[-1][0] is None:
        case.inputs.pop()
    names = ["" if array is None else f"x{k}" for k, (array, _, _) in enumerate(case.inputs)]
    flags = [True] * case.outputs if isinstance(case.outputs, int) else case.outputs
    outputs = [f"y{k}" if flag else "" for k, flag in enumerate(flags)]
    node = helper.make_node(case.op, names, outputs, domain=case.domain, **case.attributes)
    fed, infos, constants = {}, [], []
    alike = case.rng.random() < .5  # equal sizes get one symbol
    for name, (array, elem, constant) in zip(names, case.inputs):
        if array is None:
            continue
        shape = list(array.shape)
        if constant:
            constants.append(tensor_of(array, elem, name))
            if ir_version < 4:
                infos.append(helper.make_tensor_value_info(name, elem, shape))
            continue
        if symbolic:
            number = int(name[1:])
            shape = [d if d == 0 or d == 1 and case.frozen_ones or (number, k - len(shape)) in case.frozen
                     else f"n{d}" if alike else f"{name}_{k}" for k, d in enumerate(shape)]
        infos.append(helper.make_tensor_value_info(name, elem, shape))
        fed[name] = (array, elem)
    kept = [name for name in outputs if name]
    graph = helper.make_graph([node], case.op, infos, [onnx.ValueInfoProto(name=name) for name in kept], constants)
    opsets = [helper.make_opsetid("", case.version if case.domain == "" else 21)]
    if case.domain:
        opsets.append(helper.make_opsetid(case.domain, case.version))
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir_version), fed, kept


def tensor_of(array, elem, name):
    tensor = numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
    assert tensor.data_type == elem, (tensor.data_type, elem)
    return tensor
