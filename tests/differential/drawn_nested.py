"""What a random graph has beside plain operators (random_graphs.py): branches and loops, whose bodies are graphs, forests of
ai.onnx.ml, and numbers that are moved as strings.
"""
import numpy as np
from onnx import TensorProto, helper

from drawn_graph import BOOL, FLOAT, INT64, Impossible, Value, least

STRING = TensorProto.STRING


def info(name, kind=FLOAT, shape=None):
    return helper.make_tensor_value_info(name, kind, shape)


def body(graph, nodes, inputs, outputs):
    return helper.make_graph(nodes, graph.name("body"), inputs, outputs)


def largest(graph):
    """A scalar that data decide, without rounding."""
    value = graph.pick(lambda one: one.exact and min([least(d) for d in one.shape], default=1) > 0)
    return graph.add("ReduceMax", [value], (), exact=True, keepdims=0)


def branch(graph):
    value = graph.pick()
    which = graph.add("Greater", [largest(graph), graph.constant(np.float32(graph.r.randint(-2, 4)))], (), BOOL)
    then, other, inner = graph.name(), graph.name(), graph.name()
    value.used = True
    factor = graph.weights([])
    bodies = [body(graph, [helper.make_node("Relu", [value.name], [then])], [], [info(then)]),
              body(graph, [helper.make_node("Mul", [value.name, factor], [inner]), helper.make_node("Neg", [inner], [other])], [], [info(other)])]
    graph.r.shuffle(bodies)
    return graph.add("If", [which], value.shape, most=max(value.most, 1.0), then_branch=bodies[0], else_branch=bodies[1])


def looped(graph):
    """As many turns as a number or an extent says; a state, and what it was after each turn."""
    value = graph.pick()
    if graph.r.random() < 0.5:
        sized = graph.pick(lambda one: len(one.shape) > 0 and least(one.shape[0]) > 0, None)
        sizes = graph.add("Shape", [sized], (len(sized.shape),), INT64, exact=True)
        trips, turns = graph.add("Gather", [sizes, graph.constant(np.int64(0))], (), INT64, exact=True), sized.shape[0]
    else:
        turns = graph.r.randint(1, 3)  # of none, onnxruntime does not know the rank of what is stacked
        trips = graph.constant(np.int64(turns))
    i, go, state, same, moved, after, row = (graph.name() for _ in range(7))
    value.used = True
    nodes = [helper.make_node("Identity", [go], [same]), helper.make_node("Mul", [state, graph.weights([], 0.5)], [moved]),
             helper.make_node("Add", [moved, value.name], [after]), helper.make_node("Identity", [after], [row])]
    inner = body(graph, nodes, [info(i, INT64, []), info(go, BOOL, []), info(state)], [info(same, BOOL, []), info(after), info(row)])
    most = 2 * value.most
    last = graph.add("Loop", [trips, "", value], value.shape, most=min(most, 60.0) if most < 60 else 61.0, extra=1, body=inner)
    made = next(node for node in graph.nodes[::-1] if node.op_type == "Loop")
    rows = Value(made.output[1], (turns,) + value.shape, FLOAT, most)
    if max(int(np.prod([int(d) for d in rows.shape])), int(np.prod([getattr(d, "second", int(d)) for d in rows.shape]))) > 4096:
        raise Impossible()
    graph.values.append(rows)
    return last


def scanned(graph):
    value = graph.pick(lambda one: len(one.shape) > 0 and least(one.shape[0]) > 0 and one.most < 30)
    first = graph.add("Gather", [value, graph.constant(np.int64(0))], value.shape[1:], most=value.most)
    state, row, half, after, out = (graph.name() for _ in range(5))
    nodes = [helper.make_node("Mul", [state, graph.constant(np.float32(0.5))], [half]), helper.make_node("Add", [half, row], [after]),
             helper.make_node(graph.r.choice(["Relu", "Abs", "Neg"]), [after], [out])]
    inner = body(graph, nodes, [info(state), info(row)], [info(after), info(out)])
    last = graph.add("Scan", [first, value], value.shape[1:], most=2 * value.most, extra=1, body=inner, num_scan_inputs=1,
                     scan_input_directions=[graph.r.randint(0, 1)], scan_output_directions=[graph.r.randint(0, 1)])
    made = next(node for node in graph.nodes[::-1] if node.op_type == "Scan")
    graph.values.append(Value(made.output[1], value.shape, FLOAT, 2 * value.most))
    return last


def forest(graph):
    """Trees of up to seven nodes; weights of which sums have no rounding."""
    value = graph.pick(lambda one: len(one.shape) == 2 and one.exact and one.shape[1] == least(one.shape[1]) > 0)
    targets, trees = graph.r.randint(1, 3), graph.r.randint(1, 6)
    columns = {name: [] for name in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")}
    leaves = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    for tree in range(trees):
        inner = graph.r.choice([0, 1, 3])
        for node in range(2 * inner + 1):
            leaf = node >= inner
            mode = "LEAF" if leaf else graph.r.choice(["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"])
            places = (0, 0) if leaf else (2 * node + 1, 2 * node + 2)
            for name, entry in zip(columns, (tree, node, graph.r.randrange(int(value.shape[1])), graph.r.randint(-32, 32) / 8, mode, *places)):
                columns[name].append(entry)
            for target in range(targets) if leaf else []:
                for name, entry in zip(leaves, (tree, node, target, graph.r.randint(-16, 16) / 8)):
                    leaves[name].append(entry)
    given = {"nodes_" + name: entries for name, entries in columns.items()} | {"target_" + name: entries for name, entries in leaves.items()}
    return graph.add("TreeEnsembleRegressor", [value], (value.shape[0], targets), most=2.0 * trees, exact=True, domain="ai.onnx.ml",
                     n_targets=targets, **given)


def spelled(graph):
    """Whole numbers as text, moved, and read again."""
    value = graph.pick(lambda one: len(one.shape) > 0 and 0 not in one.shape, INT64)
    text = graph.add("Cast", [value], value.shape, STRING, to=STRING)
    axis = graph.r.randrange(len(value.shape))
    turned = graph.n.permutation(least(value.shape[axis])).astype(np.int64)
    how = graph.r.choice(["Gather", "Concat", "Transpose", "Where"])
    if how == "Gather":
        shape = value.shape[:axis] + (len(turned),) + value.shape[axis + 1:]
        text = graph.add("Gather", [text, graph.constant(turned)], shape, STRING, axis=axis)
    elif how == "Concat":
        shape = value.shape[:axis] + (value.shape[axis] * 2,) + value.shape[axis + 1:]
        text = graph.add("Concat", [text, text], shape, STRING, axis=axis)
    elif how == "Transpose":
        text = graph.add("Transpose", [text], value.shape[::-1], STRING)
    else:
        seven = graph.constant(np.array("7", dtype=object))
        same = graph.add("Equal", [value, graph.constant(np.int64(0))], value.shape, BOOL)
        text = graph.add("Where", [same, seven, text], value.shape, STRING)
    return graph.add("Cast", [text], text.shape, INT64, most=max(value.most, 7.0), exact=True, to=INT64)


NESTED = [branch, looped, scanned, forest, spelled]
