"""Inputs for a model that nobody says anything about: sizes that onnxruntime runs, and values.

Sizes are searched: each open size gets one of a short list, by what its name and place say, until onnxruntime takes
them all. Values follow from type and name: token ids are small, masks are ones, positions count, floats are drawn
from a normal distribution. `given` says what a model wants otherwise (NAME=VALUE for a size or for all elements of an input)."""
import re

import numpy as np

TYPES = {"float": np.float32, "double": np.float64, "float16": np.float16, "int64": np.int64, "int32": np.int32,
         "int16": np.int16, "int8": np.int8, "uint64": np.uint64, "uint32": np.uint32, "uint16": np.uint16,
         "uint8": np.uint8, "bool": np.bool_}
FIRST = (16, 64, 32, 128, 256, 512, 1, 8, 4, 224, 320, 640, 1600, 4096, 16000, 2, 3)
SECOND = (24, 96, 64, 48, 160, 384, 2, 12, 5, 192, 352, 672, 2400, 5120, 24000, 1, 4) + FIRST
PLANES = (64, 96, 128, 48, 32, 224, 256, 320, 640)


class Unknown(Exception):
    """No inputs that onnxruntime takes were found."""


def open_sizes(inputs):
    """Names of the open sizes, in order; one that has no name is called INPUT.AXIS."""
    names = []
    for info in inputs:
        for axis, size in enumerate(info.shape):
            if not isinstance(size, int) or size < 0:
                name = size_name(info, axis)
                if name not in names:
                    names.append(name)
    return names


def size_name(info, axis):
    size = info.shape[axis]
    return size if isinstance(size, str) and size not in ("?", "None", "") else f"{info.name}.{axis}"


def is_batch(name, inputs):
    if re.search(r"batch|^n$|^b$|^bs$", name.lower()):
        return True
    axes = {axis for info in inputs if len(info.shape) > 1
            for axis in range(len(info.shape)) if size_name(info, axis) == name}
    return axes == {0}


def is_plane(name, inputs):
    return any(len(info.shape) == 4 and axis >= 1 and size_name(info, axis) == name
               for info in inputs for axis in range(len(info.shape)))


def assignments(inputs, second, given, named=()):
    """Sizes to try, the likeliest first, then those that refusals named; a size that a sum or product of others names is that of them."""
    names = open_sizes(inputs)
    if not names:
        yield {}
        return
    for batch in ((2, 1) if second else (1, 2)):
        for size in named or (SECOND if second else FIRST):
            sizes = {}
            for name in names:
                low = name.lower()
                if name in given:
                    choices = given[name]
                    sizes[name] = choices[min(int(second), len(choices) - 1)]
                elif is_batch(name, inputs):
                    sizes[name] = batch
                elif is_plane(name, inputs) and size not in PLANES and "past" not in low:
                    sizes[name] = max(size // 32, 1) * 32
                elif "past" in low and "+" not in low:
                    sizes[name] = size // 2
                else:
                    sizes[name] = size
            for name in names:
                if re.search(r"[-+*/]", name) and name not in given:
                    sizes[name] = summed(name, sizes)
                elif "total" in name.lower() and name not in given:
                    sizes[name] = sum(s for n, s in sizes.items() if re.search(r"past|seq", n.lower()) and
                                      not re.search(r"total|[-+*/]", n.lower()))
            yield sizes


def summed(name, sizes):
    """The value of 'past_length + 1' where all names in it are known."""
    text = name
    for other in sorted(sizes, key=len, reverse=True):
        if other != name:
            text = text.replace(other, str(sizes[other]))
    return int(eval(text)) if re.fullmatch(r"[-+*/() \d]+", text) else sizes[name]


def values(info, shape, stream, most, given):
    """An array for an input: integers are below `most`."""
    if info.type == "tensor(string)":
        words = [*given.get("", ()), "a", "", "yes", "\u00e9"]
        return np.array([str(words[k]) for k in stream.integers(0, len(words), shape).ravel()], object).reshape(shape)
    kind = TYPES.get(re.sub(r"tensor\((.*)\)", r"\1", info.type))
    if kind is None:
        raise Unknown(f"input '{info.name}' is a {info.type}")
    name = info.name.lower()
    if info.name in given:
        return np.full(shape, given[info.name][0], kind)
    if kind == np.bool_:
        return np.ones(shape, kind) if "mask" in name else stream.integers(0, 2, shape).astype(kind)
    if np.issubdtype(kind, np.floating):
        if "mask" in name:
            return np.ones(shape, kind)
        return (stream.standard_normal(shape) * (0.5 if kind == np.float16 else 1)).astype(kind)
    if re.search(r"^sr$|sample_rate", name):
        return np.full(shape, 16000, kind)
    if "mask" in name:
        return np.ones(shape, kind)
    if "position" in name and shape:
        return np.broadcast_to(np.arange(shape[-1]), shape).astype(kind)
    if kind == np.uint8 and np.prod(shape) > 64:
        return stream.integers(0, 256, shape).astype(kind)
    return stream.integers(1 if most > 1 else 0, max(most, 2), shape).astype(kind)


def lengths(info, shape, arrays):
    """Lengths of rows are those of the longest axis of the other inputs."""
    longest = max((a.shape[1] if a.ndim > 1 else 1) for a in arrays.values()) if arrays else 1
    return np.full(shape, longest, TYPES[info.type[7:-1]])


def made(inputs, sizes, seed, most, given):
    stream = np.random.default_rng(seed)
    arrays = {}
    later = []
    for info in inputs:
        shape = tuple(sizes[size_name(info, axis)] if not isinstance(size, int) or size < 0 else size
                      for axis, size in enumerate(info.shape))
        if re.search(r"len", info.name.lower()) and "int" in info.type and info.name not in given and len(shape) < 2:
            later.append((info, shape))
        else:
            arrays[info.name] = values(info, shape, stream, most, given)
    for info, shape in later:
        arrays[info.name] = lengths(info, shape, arrays)
    return arrays


def found(session, second, seed, given):
    """(inputs, sizes, outputs) that onnxruntime takes; `second`: of other sizes where there are open ones."""
    inputs = session.get_inputs()
    reasons = ["no sizes"]
    for named in (False, True):
        numbers = sorted({int(n) for reason in reasons for n in re.findall(r"(?<![\w.])\d+", reason) if 1 < int(n) < 4096})
        for sizes in assignments(inputs, second, given, numbers if named else ()) if numbers or not named else ():
            if sum(np.prod([sizes[size_name(i, a)] if not isinstance(s, int) or s < 0 else s for a, s in enumerate(i.shape)]
                           or [1]) for i in inputs) > 1 << 25:
                continue
            for most in (10, 2, 1):
                arrays = made(inputs, sizes, seed, most, given)
                try:
                    outputs = session.run(None, arrays)
                except Exception as error:  # these sizes are none of its own
                    reasons.append(str(error).splitlines()[0])
                    if not any(np.issubdtype(a.dtype, np.integer) for a in arrays.values()):
                        break
                    continue
                return arrays, sizes, outputs
    raise Unknown(f"onnxruntime takes none of the sizes tried: {reasons[-1][:200]}")
