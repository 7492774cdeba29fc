#!/usr/bin/env python3
"""Puts the static program into a wheel, so that pip installs it: wheel.py BURIN VERSION MACHINE LICENSE FOLDER

The format is that of PyPA's "Binary distribution format": a zip with the program as a script, and metadata. The same
program gives the same bytes.
"""
import base64
import hashlib
import os
import stat
import sys
import zipfile

burin, version, machine, licence, folder = sys.argv[1:]
# A static program asks nothing of the C library that is there.
tag = "py3-none-manylinux2014_%s.manylinux_2_17_%s.musllinux_1_1_%s" % (machine, machine, machine)
name = "burin-" + version
info = name + ".dist-info/"
record = []
path = os.path.join(folder, "%s-%s.whl" % (name, tag))


def text_of(file):
    with open(file, "rb") as source:
        return source.read()


with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
    def add(place, data, mode=0o644):
        entry = zipfile.ZipInfo(place, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (stat.S_IFREG | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append("%s,sha256=%s,%d" % (place, digest, len(data)))

    add(name + ".data/scripts/burin", text_of(burin), 0o755)
    add(info + "LICENSE", text_of(licence))
    add(info + "METADATA", (
        "Metadata-Version: 2.1\nName: burin\nVersion: %s\nSummary: source trees for ONNX networks\n"
        "License: MIT\nLicense-File: LICENSE\nRequires-Python: >=3.6\n" % version).encode())
    add(info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: burin\nRoot-Is-Purelib: false\n" + "".join(
        "Tag: py3-none-%s\n" % one for one in tag[len("py3-none-"):].split("."))).encode())
    record.append(info + "RECORD,,")
    wheel.writestr(zipfile.ZipInfo(info + "RECORD", (1980, 1, 1, 0, 0, 0)), "\n".join(record) + "\n")
print(path)
