#!/usr/bin/env python3
"""The names that the headers of C and POSIX take: generator/render/header_macros.cpp, header_names.cpp.

  tests/project/header_names.py FOLDER            compares: every name that this machine's headers
                                                  have is in the files there, or it names the others
  tests/project/header_names.py FOLDER --update   adds them

Three lists: object-like and function-like macros (a field of an interface that is called so is
replaced before any compiler sees it), headers by their stems (a tree's include/math.h would be found
in the place of <math.h>), and names whose functions the headers declare with an ending that trees
have (sem_init). Names are added and never removed: another machine has others. What begins or ends
with an underscore, or has two in a row, no name of a tree is.
"""
import re, subprocess, sys, tempfile, os

C = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype"""
POSIX = """aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen
monetary mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search
semaphore spawn strings stropts sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm
sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog
tar termios trace ulimit unistd utime utmpx wordexp"""
ENDINGS = """arena_bytes context dims explain fault init init_opencl inputs kernels memory opencl outputs
parallel_for pool release run start stop strerror threads tune weights workers"""
COMPILERS = [["gcc", "-D_GNU_SOURCE"], ["g++", "-x", "c++"], ["clang-14", "-D_GNU_SOURCE"]]


def is_plain(name):
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,62}", name) and "__" not in name and name[-1] != "_"


def preprocessed(flags, text, lines=False):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.c")
        with open(path, "w") as file:
            file.write(text)
        words = flags[:1] + ["-E"] + ([] if lines else ["-P"]) + flags[1:] + [path]
        out = subprocess.run(words, capture_output=True, text=True)
        return out.stdout


def found():
    headers = [name + ".h" for name in (C + " " + POSIX).split()]
    text = "".join("#if __has_include(<%s>)\n#include <%s>\n#endif\n" % (h, h) for h in headers)
    macros, declared, stems = set(), set(), set()
    for flags in COMPILERS:
        for line in preprocessed(flags + ["-dM"], text).splitlines():
            macros.add(line.split()[1].split("(")[0])
        plain = preprocessed(flags, text)
        declared.update(re.findall(r"\b[A-Za-z]\w*\b", plain))
        # Those that these headers include, too: "features.h".
        for path in re.findall(r'^# \d+ "([^"]+)"', preprocessed(flags, text, lines=True), re.M):
            if os.path.dirname(path) in ("/usr/include", "/usr/include/x86_64-linux-gnu"):
                stems.add(os.path.basename(path))
    # A compiler's own: "immintrin.h", "arm_neon.h".
    for compiler, own in (("gcc", "include"), ("clang-14", "include")):
        folder = subprocess.run([compiler, "-print-file-name=" + own], capture_output=True,
                                text=True).stdout.strip()
        if os.path.isdir(folder):
            stems.update(name for name in os.listdir(folder) if name.endswith(".h"))
    stems = {stem[:-2].lower() for stem in stems if stem.endswith(".h")}
    stems.update(h[:-2] for h in headers if "/" not in h)
    prefixes = {name[:-len(ending) - 1] for ending in ENDINGS.split() for name in declared
                if name.endswith("_" + ending)}
    return [set(filter(is_plain, names)) for names in (macros, stems, prefixes)]


BLOCK = re.compile(r'constexpr std::string_view (k\w+) =\n((?: *".*"\n?)*);')


def main():
    folder, update = sys.argv[1], "--update" in sys.argv
    wanted = dict(zip(["kMacros", "kHeaders", "kPrefixes"], found()))
    missing = []

    def replaced(match):
        known = set(" ".join(re.findall(r'"(.*)"', match.group(2))).split())
        missing.extend(sorted(wanted[match.group(1)] - known))
        lines, line = [], " "
        for name in sorted(wanted[match.group(1)] | known):
            if len(line) + len(name) + 1 > 92:
                lines.append(line)
                line = ""
            line += name + " "
        lines.append(line)
        return "constexpr std::string_view %s =\n%s;" % (
            match.group(1), "\n".join('    "%s"' % one for one in lines))

    for name in ("header_macros.cpp", "header_names.cpp"):
        path = os.path.join(folder, name)
        text = BLOCK.sub(replaced, open(path).read())
        if update:
            open(path, "w").write(text)
    if missing and not update:
        print("%d names of headers are missing in %s: %s" % (len(missing), folder,
                                                             " ".join(missing[:20])))
        sys.exit(1)


if __name__ == "__main__":
    main()
