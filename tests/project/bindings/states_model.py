"""Writes a model of two caches that grow by a row and by a column, each with the sum of its squares: states_model.py FILE

  q = Concat(p f32[past,3], n f32[1,3]), s = sum of q * q;  w = Concat(u i32[2,past], m i32[2,1]), t = sum of w * w
"""
import sys
from system_names import field

FLOAT, INT32 = 1, 6


def tensor(name, kind, *dims):
    shape = b"".join(field(1, field(2, one) if isinstance(one, str) else field(1, one)) for one in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def node(operator, inputs, output, **attributes):
    body = b"".join(field(1, one) for one in inputs) + field(2, output) + field(4, operator)
    return field(1, body + b"".join(field(5, field(1, name) + field(3, value) + field(20, 2)) for name, value in attributes.items()))


graph = b""
for cache, new, whole, total, axis in [("p", "n", "q", "s", 0), ("u", "m", "w", "t", 1)]:
    graph += node("Concat", [cache, new], whole, axis=axis)
    graph += node("Mul", [whole, whole], whole + "_squares") + node("ReduceSum", [whole + "_squares"], total, keepdims=0)
graph += field(2, "states")
for one in [("n", FLOAT, 1, 3), ("p", FLOAT, "past", 3), ("u", INT32, 2, "past"), ("m", INT32, 2, 1)]:
    graph += field(11, tensor(*one))
for one in [("s", FLOAT), ("q", FLOAT, "all", 3), ("w", INT32, 2, "all"), ("t", INT32)]:
    graph += field(12, tensor(*one))
open(sys.argv[1], "wb").write(field(1, 8) + field(7, graph) + field(8, field(2, 17)))
