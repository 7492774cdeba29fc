#!/usr/bin/env python3
"""Makes every system call of `burin generate`, `burin pack` or `burin tune` fail, and kills it at every one that changes something.

  tests/faults/fault_loop.py BURIN [--model FILE ...] [--pack FILE] [--tune] [--config FILE] [--case fresh|update|both]
                             [--every N] [--flags WORDS] [--calls NAME,NAME] [--only-kills] [--first]

Needs strace. A run without faults names the calls and how often each is made; then, for every one of them, strace injects each error that the call may give, or a signal. What
must hold afterwards:

- the folder has the old tree or the new one, every byte of it, and beside it what lay there before;
- exit code 0 goes with the new tree, 1 with the old one and one line that says why; others are faults;
- a run without a fault, right after it, makes the new tree, and leaves nothing behind.

Several models make one tree. --locked: with the plan lock of an earlier tree. With --pack the folder is one file,
packed assembly, and what lay there before is another text of the user's. With --tune it is a tuning file, searched for
with a runner that prefers whatever differs; exit code 5, a runner that could not be called, goes with the old file.

--every N takes every Nth of the calls that only read; those that change something are all taken.
"""
import argparse, collections, fcntl, hashlib, os, re, shutil, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

ERRORS = {
    "openat": ["EACCES", "EMFILE", "EIO"], "openat2": ["EACCES", "EIO"], "open": ["EACCES", "EIO"],
    "read": ["EIO"], "pread64": ["EIO"], "write": ["ENOSPC", "EIO"], "close": ["EIO"],
    "fstat": ["EIO"], "newfstatat": ["EACCES", "EIO"], "stat": ["EIO"], "lstat": ["EIO"],
    "statx": ["EIO"], "getdents64": ["EIO"], "readlink": ["EIO"], "lseek": ["EIO"],
    "mkdir": ["EACCES", "ENOSPC"], "rename": ["EACCES", "EXDEV", "EIO"],
    "link": ["EPERM", "EMLINK", "ENOSPC"], "unlink": ["EACCES", "EIO"], "unlinkat": ["EACCES", "EIO"],
    "rmdir": ["EACCES", "EBUSY"], "flock": ["ENOLCK", "EAGAIN", "EINTR"],
    "mmap": ["ENOMEM"], "mremap": ["ENOMEM"], "munmap": ["EINVAL"], "madvise": ["EINVAL"],
    "clone": ["EAGAIN"], "clone3": ["EAGAIN"], "fork": ["EAGAIN"], "vfork": ["EAGAIN"],
    "socketpair": ["EMFILE"], "sendto": ["EPIPE"], "recvfrom": ["EIO"], "wait4": ["ECHILD"],
    "fcntl": ["EINVAL"], "ioctl": ["ENOTTY"], "getcwd": ["ENOENT"], "uname": ["EFAULT"],
}
CHANGES = {"write", "mkdir", "rename", "link", "unlink", "unlinkat", "rmdir", "flock", "clone",
           "clone3", "fork", "socketpair", "sendto", "wait4"}


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def snapshot(folder):
    """Every file with its bytes' hash, links with their targets; staging folders left out."""
    out = {}
    if os.path.isfile(folder):
        return {"": digest(folder)}
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".burin-staging"]
        for name in files:
            path = os.path.join(at, name)
            key = os.path.relpath(path, folder)
            out[key] = "-> " + os.readlink(path) if os.path.islink(path) else digest(path)
    return out


class Loop:
    def __init__(self, options, case):
        self.options, self.case = options, case
        self.work = tempfile.mkdtemp(prefix="burin_faults_")
        self.tree = os.path.join(self.work, "tree")
        self.kept = os.path.join(self.work, "kept")
        self.log = os.path.join(self.work, "log")
        flags = options.flags.split()
        if options.locked:
            earlier = os.path.join(self.work, "earlier")
            subprocess.run([options.burin, "generate", *options.model, "--config", options.config, "--output", earlier]
                           + flags, check=True, capture_output=True)
            flags += ["--plan-lock", os.path.join(earlier, "plan.json")]
        base = [options.burin, "generate", *options.model, "--config", options.config, "--output"]
        if options.pack:
            base = [options.burin, "pack", options.pack, "--config", options.config, "--output"]
        if options.tune:
            runner = os.path.join(self.work, "runner")
            with open(runner, "w") as file:
                file.write("if diff -rq $1/opencl $2/opencl > /dev/null; then echo 100; else echo 50; fi\n")
            base = [options.burin, "tune", *options.model, "--config", options.config, "--runner", "bash " + runner,
                    "--population", "4", "--generations", "1", "--rounds", "3", "--tuning"]
        self.command = base + [self.tree] + flags
        self.faults = []
        self.counts = collections.Counter()
        if case == "update" and options.pack:
            with open(self.kept, "w") as file:
                file.write("packed before\n")
        elif case == "update" and options.tune:
            hardware = os.path.basename(options.config).removesuffix(".json")
            with open(self.kept, "w") as file:
                file.write('{"format": 2, "hardware": "%s", "kernels": {}}\n' % hardware)
        elif case == "update":
            # Another name and weights in a file: files are added, changed and removed, and some
            # stay. Beside them, something of the user's.
            others = [word for i, word in enumerate(flags) if "--name" not in flags[max(0, i - 1):i + 1]]
            subprocess.run(base + [self.kept, "--name", "other", "--weights", "blob"] + others,
                           check=True, capture_output=True)
            os.mkdir(os.path.join(self.kept, "build"))
            with open(os.path.join(self.kept, "build", "mine.o"), "w") as file:
                file.write("of the user\n")
        self.reset()
        self.old = snapshot(self.tree) if case == "update" else None
        subprocess.run(self.command, check=True, capture_output=True)
        self.new = snapshot(self.tree)

    def reset(self):
        for name in os.listdir(self.work):
            path = os.path.join(self.work, name)
            if name in ("kept", "earlier", "log", "trace", "runner"):
                continue
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        if self.case == "update":
            subprocess.run(["cp", "-a", self.kept, self.tree], check=True)

    def strace(self, inject):
        out = os.path.join(self.work, "trace")
        if os.path.exists(out):
            os.remove(out)
        # The program's first thread alone: a fault of the child that undoes for it would be a second.
        words = ["strace", "-qq", "-o", out] + inject + self.command
        with open(self.log, "w") as log:
            done = subprocess.run(words, stdout=log, stderr=log, timeout=300)
        self.wait_for_guardian()
        return done.returncode, open(self.log, errors="replace").read(), out

    def wait_for_guardian(self):
        """Whoever undoes what a killed run has done holds its lock."""
        staging = os.path.join(self.tree, ".burin-staging")
        for _ in range(500):
            try:
                folder = os.open(staging, os.O_RDONLY)
            except OSError:
                return
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                time.sleep(0.01)
            finally:
                os.close(folder)

    def calls(self):
        """Name of the call -> how often it is made."""
        self.reset()
        code, text, out = self.strace([])
        if code != 0:
            sys.exit("without faults: exit code %d: %s" % (code, text))
        each = collections.Counter()
        for line in open(out, errors="replace"):
            found = re.match(r"(\w+)\(", line)
            if found:
                each[found.group(1)] += 1
        return each

    def state(self):
        if self.case == "fresh" and not os.path.exists(self.tree):
            return "old"
        now = snapshot(self.tree)
        if now == self.new:
            return "new"
        if now == self.old:
            return "old"
        if self.case == "fresh" and not now:
            return "old"
        wrong = [key for key in sorted(set(now) | set(self.new) | set(self.old or {}))
                 if now.get(key) not in (self.new.get(key), (self.old or {}).get(key))]
        return "a mixture" + (" with other bytes in " + ", ".join(wrong[:3]) if wrong else "")

    def check(self, what, code, text, kill):
        state = self.state()
        self.counts["kill" if kill else "error"] += 1
        fault = None
        lines = [line for line in text.splitlines() if "error:" in line]
        if state not in ("old", "new"):
            fault = state
        elif kill:
            pass
        elif code == 0 and state != "new":
            fault = "exit code 0, and the old tree"
        elif code == 1 and (state != "old" or len(lines) != 1):
            fault = "exit code 1, %s tree, %d lines: %s" % (state, len(lines), text[-300:])
        elif code == 5 and self.options.tune and state == "old":
            pass
        elif code not in (0, 1):
            fault = "exit code %d: %s" % (code, text[-300:])
        self.counts["%s tree" % state] += 1
        if fault is None:
            done = subprocess.run(self.command, capture_output=True, text=True)
            left = [name for folder in (self.work, self.tree) if os.path.isdir(folder)
                    for name in os.listdir(folder) if name.endswith(".burin-staging")]
            if self.options.tune:
                left = [] if kill else [name for name in os.listdir(self.work) if name.startswith("tree.part")]
            if self.options.pack:  # a file beside it is what a killed run had begun
                left = [] if kill else [name for name in os.listdir(self.work)
                                        if name not in ("tree", "kept", "log", "trace")]
            if done.returncode != 0 or self.state() != "new":
                fault = "the next run: exit code %d, %s: %s" % (done.returncode, self.state(),
                                                                done.stderr[-300:])
            elif left:
                fault = "the next run leaves " + ", ".join(left)
        if fault:
            self.faults.append("%s, %s: %s" % (self.case, what, fault))
            print(self.faults[-1], flush=True)

    def run(self):
        only = self.options.calls.split(",") if self.options.calls else None
        for name, count in sorted(self.calls().items()):
            if only and name not in only:
                continue
            every = 1 if name in CHANGES else self.options.every
            for when in range(1, count + 1, every):
                faults = [] if self.options.only_kills else [
                    "error=" + error
                    for error in ERRORS.get(name, [])[:1 if self.options.first else None]]
                if name in CHANGES:
                    faults.append("signal=KILL")
                for fault in faults:
                    self.reset()
                    code, text, _ = self.strace(["-e", "inject=%s:%s:when=%d" % (name, fault, when)])
                    self.check("%s %d %s" % (name, when, fault), code, text, "KILL" in fault)
        shutil.rmtree(self.work)
        return self.faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("burin")
    parser.add_argument("--model", nargs="+", default=[os.path.join(ROOT, "tests/models/lstm/model.onnx")])
    parser.add_argument("--pack", default="")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--locked", action="store_true")
    parser.add_argument("--config", default="")
    parser.add_argument("--case", default="both", choices=["fresh", "update", "both"])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--flags", default="")
    parser.add_argument("--calls", default="")
    parser.add_argument("--only-kills", action="store_true")
    parser.add_argument("--first", action="store_true", help="of each call the first error alone")
    options = parser.parse_args()
    options.burin = os.path.abspath(options.burin)
    options.config = options.config or os.path.join(
        ROOT, "configs", "hexagon-v66.json" if options.pack else "pocl.json" if options.tune else "cpp-generic.json")
    if options.tune and len(options.model) == 1:
        options.model = [os.path.join(ROOT, "tests/models/softmax_sym/model.onnx")]
    faults, counts, start = [], collections.Counter(), time.time()
    for case in ["fresh", "update"] if options.case == "both" else [options.case]:
        loop = Loop(options, case)
        faults += loop.run()
        counts += loop.counts
    print("%d errors and %d kills: %d left the old tree, %d the new one; %d faults; %d s" % (
        counts["error"], counts["kill"], counts["old tree"], counts["new tree"], len(faults),
        time.time() - start))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
