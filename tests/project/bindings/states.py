"""Two caches through their binding, a step after the other in one buffer each: states.py MODULE_FOLDER LIBRARY"""
import array
import ctypes
import sys

sys.path.insert(0, sys.argv[1])
import states

ROOM = 32
network = states.Network(sys.argv[2])
rows = (ctypes.c_float * (ROOM * 3))(*[7.0] * (ROOM * 3))
columns = memoryview(array.array("i", [7] * (2 * ROOM))).cast("B").cast("i", [2, ROOM])
wanted_rows, wanted_columns = [7.0] * (ROOM * 3), [[7] * ROOM, [7] * ROOM]
squares, total = 0, 0
for past in range(ROOM):
    row = [(past * 5 + i) % 7 - 2 for i in range(3)]
    column = [(past * 3 + i) % 5 + 1 for i in range(2)]
    squares += sum(one * one for one in row)
    total += sum(one * one for one in column)
    wanted_rows[3 * past:3 * past + 3] = row
    for i in range(2):
        wanted_columns[i][past] = column[i]
    got = network.run(array.array("f", row), rows, columns, array.array("i", column), past=past)
    assert got["q"].data is rows and got["q"].shape == (ROOM, 3), "the state that came back is another"
    assert got["w"].data is columns and got["w"].shape == (2, ROOM), "the state that came back is another"
    assert list(rows) == wanted_rows and columns.tolist() == wanted_columns, "step %d left another state" % past
    assert (got["s"].data[0], got["t"].data[0]) == (squares, total), "step %d: %s" % (past, got)

# What no run can write in, and what has no room, is said, and nothing is written.
row, column = array.array("f", [1] * 3), array.array("i", [1] * 2)
for other in [bytes(rows), memoryview(rows).toreadonly(), array.array("f", [0] * 3), memoryview(bytearray(768)).cast("f")[::2]]:
    try:
        network.run(row, other, columns, column, past=0)
        sys.exit("such a state is taken")
    except ValueError as error:
        print("refused:", error)
other = (ctypes.c_float * (ROOM * 6))()
for one, two in [(memoryview(other).cast("B")[:384], memoryview(other).cast("B")[380:636]), (rows, memoryview(rows).cast("B")[128:])]:
    try:
        network.run(row, one, two, column, past=0)
        sys.exit("states that share memory are taken")
    except ValueError as error:
        print("refused:", error)
try:
    network.run(memoryview(rows).cast("B")[12:24], rows, columns, column, past=0)
    sys.exit("an input in a state is taken")
except ValueError as error:
    print("refused:", error)
assert columns.tolist() == wanted_columns, "a run that is refused has written"
# Inputs may share memory with inputs.
zeros = memoryview(bytearray(16))
assert network.run(zeros[:12], rows, columns, zeros[4:12], past=0)["t"].data[0] == 0
