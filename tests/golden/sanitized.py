#!/usr/bin/env python3
"""Emitted code of test models under checkers that a description of hardware can name.

  tests/golden/sanitized.py BURIN CHECKER [--config NAME] [--models FOLDER] [--sample N] [--jobs N]

| checker | what runs |
|---|---|
| integer | clang's integer sanitizer: no unsigned sum, product or difference wraps, nothing is cut off or changes its sign, but in the files of integer_ignored.txt, which say why |
| clang | clang's address and undefined behaviour sanitizers |
| freestanding | trees that bring what compilers call, linked into a hosted program under the same two of g++ |
| valgrind | memcheck: nothing is read that nobody wrote |
| thread | ThreadSanitizer: the tree's own pool of threads, on networks that together have every family of kernels and kind of verbs that threads share (--sample: the first of them); work of any size is shared |

The model's data are what results are held to; of `thread`, that nothing races. Exit code 1 where anything was found.
"""
import argparse, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LEAST_KINDS = 35  # that the test models have


def description(folder, options):
    """The description of hardware whose compiler or runner is the checker."""
    with open(os.path.join(ROOT, "configs", options.config + ".json")) as file:
        hardware = json.load(file)
    hardware["name"] = "%s-%s" % (options.config, options.checker)
    compilers = {one["name"]: one for one in hardware["compilers"]}
    if options.checker == "integer":
        one = compilers["clang++"]
        checks = ["-O1", "-g", "-fsanitize=integer", "-fno-sanitize-recover=all",
                  "-fsanitize-ignorelist=" + os.path.join(HERE, "integer_ignored.txt")]
        one["compile_flags"] = [flag for flag in one["compile_flags"] if not flag.startswith("-O")] + checks
        one["link_flags"] = ["-fsanitize=integer"]
        hardware["compilers"] = [one]
    if options.checker == "thread":
        one = compilers["g++"]
        one["compile_flags"] = [flag for flag in one["compile_flags"] if not flag.startswith("-O")] + ["-O1", "-g", "-fsanitize=thread"]
        one["link_flags"] = ["-fsanitize=thread"]
        hardware["compilers"] = [one]
        hardware["threads_max"], hardware["thread_start_us"] = 4, 0
    if options.checker == "valgrind":
        hardware["runner"] = ["valgrind", "-q", "--error-exitcode=9", "--exit-on-first-error=yes"]
    path = os.path.join(folder, hardware["name"] + ".json")
    with open(path, "w") as file:
        json.dump(hardware, file)
    return path


def verbs_of(burin, config, model, folder):
    """What a tree's kernels that threads share are made of: families and kinds of verbs."""
    tree = os.path.join(folder, "tree")
    done = subprocess.run([burin, "generate", model, "--config", config, "-o", tree, "--name", "net"], capture_output=True)
    if done.returncode == 1:  # the description lacks what the model takes
        return set()
    if done.returncode != 0:
        sys.exit("%s: burin generate: exit code %d: %s" % (model, done.returncode, done.stderr.decode()[-500:]))
    with open(os.path.join(tree, "plan.json")) as file:
        kernels = json.load(file)["kernels"]
    out = set()
    for one in kernels:
        kinds = {" ".join(word for word in verb.split() if not word.lstrip("-").isdigit()) for verb in one.get("verbs", [])}
        if "threads" in kinds:
            out.update(kinds | {"family " + one.get("family", "of a procedure")})
    return out


def chosen(burin, config, models, folder):
    """Models that together have all of it, the one with the most that is new first."""
    has = {model: verbs_of(burin, config, model, folder) for model in models}
    left, out = set().union(*has.values()), []
    print("%d families and kinds of verbs that threads share: %s" % (len(left), ", ".join(sorted(left))))
    if len(left) < LEAST_KINDS:
        sys.exit("only %d families and kinds of verbs were found in %d models" % (len(left), len(models)))
    while left:
        best = max(models, key=lambda model: (len(has[model] & left), -models.index(model)))
        out.append(best)
        left -= has[best]
    return out


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("burin")
    parser.add_argument("checker", choices=["integer", "clang", "freestanding", "valgrind", "thread"])
    parser.add_argument("--config", default="x86-64-v3")
    parser.add_argument("--models", default=os.path.join(ROOT, "tests", "models"))
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.burin = os.path.abspath(options.burin)
    with tempfile.TemporaryDirectory() as folder:
        config = description(folder, options)
        if options.checker == "thread":
            models = sorted(os.path.join(at, name) for at, _, names in os.walk(options.models) for name in names
                            if name == "model.onnx")
            failed = 0
            models = chosen(options.burin, config, models, folder)[:options.sample or None]
            # The shadow of ThreadSanitizer lies where many random address bits put the program.
            fixed = ["setarch", "-R"] if subprocess.run(["setarch", "-R", "true"], capture_output=True).returncode == 0 else []
            for model in models:
                done = subprocess.run(fixed + [options.burin, "bench", model, "--config", config, "--threads", "4"], capture_output=True,
                                      text=True, env=dict(os.environ, TSAN_OPTIONS="halt_on_error=1"))
                if done.returncode != 0:
                    failed += 1
                    print("%s: %s" % (os.path.relpath(model, ROOT), done.stderr[-3000:]), flush=True)
            print("%d models under ThreadSanitizer, %d with a race" % (len(models), failed))
            sys.exit(1 if failed else 0)
        flags = {"clang": ["--sanitize", "--compiler", "clang++"], "freestanding": ["--sanitize", "--profile", "freestanding"]}
        words = [options.burin, "verify", "--all", options.models, "--config", config, "-j", str(options.jobs)]
        words += ["--sample", str(options.sample)] if options.sample else []
        done = subprocess.run(words + flags.get(options.checker, []), capture_output=True, text=True)
        print("".join(line[:300] + "\n" for line in (done.stdout + done.stderr).splitlines()[-200:]), end="")
        sys.exit(1 if done.returncode else 0)


if __name__ == "__main__":
    main()
