"""What onnxruntime's CPU arena grows by in the first run of a session, and what its memory pattern plans for the next ones.

The arena is told to extend by what is asked for, so that its total is what the run could not find room for among
the chunks that it has; weights are kept out of it, results are in it. The second run of the same sizes takes
one block for all tensors but results, planned from the first (its memory pattern); it is reported where no free chunk was
large enough. What kernels take for themselves is in the first figure only. Both are what the arena's own log says.

As a program: runs one model at one size, and leaves the log on stderr.
    peer_arena.py ZOO CACHE MODEL SIZES
"""
import json
import os
import re
import subprocess
import sys


def measured(zoo, cache, name, sizes):
    """(bytes of the first run, bytes of the planned block or None)."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), zoo, cache, name, json.dumps(sizes)],
                          capture_output=True, text=True, check=True)
    totals, extended = [0], []
    for line in done.stderr.splitlines():
        if line.startswith("MARK"):
            totals.append(totals[-1])
            extended.append(0)
        elif found := re.search(r"Total allocated bytes: (\d+)", line):
            totals[-1] = int(found[1])
        elif extended and (found := re.search(r"Extended allocation by (\d+) bytes", line)):
            extended[-1] = max(extended[-1], int(found[1]))
    planned = extended[1] if len(extended) > 1 and extended[1] else None
    return totals[1] - totals[0], planned


def main():
    import onnxruntime
    from materialized import Model

    model = Model(*sys.argv[1:4], 1)
    inputs = model.at(json.loads(sys.argv[4]), 0)
    same_as_requested = 1
    onnxruntime.create_and_register_allocator(
        onnxruntime.OrtMemoryInfo("Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT),
        onnxruntime.OrtArenaCfg(0, same_as_requested, -1, -1))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.add_session_config_entry("session.use_device_allocator_for_initializers", "1")
    onnxruntime.set_default_logger_severity(0)
    options.log_severity_level = 1
    session = onnxruntime.InferenceSession(model.path, options, providers=["CPUExecutionProvider"])
    for run in range(2):
        print("MARK", file=sys.stderr, flush=True)
        session.run(None, inputs)


if __name__ == "__main__":
    main()
