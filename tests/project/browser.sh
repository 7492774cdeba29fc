#!/bin/bash
# REPORT.html in a real browser: it shows something, and asks nobody for anything. By hand, since a browser is large.
#
#   browser.sh BURIN [BROWSER]      chromium-headless-shell of Debian unless another is named
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
browser="${2:-chromium-headless-shell}"
command -v "$browser" > /dev/null || { echo "no $browser: apt-get install chromium-headless-shell"; exit 5; }
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
for model in tests/digits/digits.onnx tests/models/attention_shape_chain/model.onnx tests/models/trips_of_trips/model.onnx; do
  "$burin" generate "$model" --config cpp-generic -o "$scratch/tree" 2> /dev/null
  # A server that writes down what is asked for.
  python3 - "$scratch" << 'PYTHON' &
import functools, http.server, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, form, *arguments):
        with open(sys.argv[1] + "/asked", "a") as log:
            log.write(self.path + "\n")
server = http.server.HTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1] + "/tree"))
open(sys.argv[1] + "/port", "w").write(str(server.server_port))
server.serve_forever()
PYTHON
  server=$!
  until [ -s "$scratch/port" ]; do sleep 0.1; done
  # Every other host is nowhere; a request for one would stand in the log.
  timeout 60 "$browser" --no-sandbox --disable-gpu --window-size=1000,2000 --screenshot="$scratch/page.png" \
    --host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1" --log-net-log="$scratch/net.json" \
    "http://127.0.0.1:$(cat "$scratch/port")/REPORT.html" 2> /dev/null
  kill "$server"
  python3 - "$scratch" "$model" << 'PYTHON'
import json, struct, sys, zlib
scratch, model = sys.argv[1:]
png = open(scratch + "/page.png", "rb").read()
width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
channels, at, data = {2: 3, 6: 4}[colour], 8, b""
while at < len(png):
    count, kind = struct.unpack(">I4s", png[at:at + 8])
    data += png[at + 8:at + 8 + count] if kind == b"IDAT" else b""
    at += 12 + count
raw = zlib.decompress(data)
# Filters of PNG, undone.
stride, rows, before = width * channels, [], bytes(width * channels)
for y in range(height):
    kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
    for i in range(stride):
        a, b, c = line[i - channels] if i >= channels else 0, before[i], before[i - channels] if i >= channels else 0
        if kind == 4:
            p = a + b - c
            guess = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        else:
            guess = (0, a, b, (a + b) // 2)[kind]
        line[i] = (line[i] + guess) & 255
    rows.append(bytes(line))
    before = bytes(line)
pixels = {}
for line in rows:
    for x in range(0, stride, channels):
        one = line[x:x + 3]
        pixels[one] = pixels.get(one, 0) + 1
ink = sum(count for one, count in pixels.items() if one != b"\xff\xff\xff")
blue = sum(count for one, count in pixels.items() if one[2] > one[0] + 60)
share = ink / (width * height)
assert 0.01 < share < 0.9 and blue > 500, "the page is blank: %.4f of ink, %d blue points" % (share, blue)
asked = sorted(set(open(scratch + "/asked").read().split()) - {"/favicon.ico"})
assert asked == ["/REPORT.html"], "the page asks for %s" % asked
events = json.load(open(scratch + "/net.json"))["events"]
urls = {str(one.get("params", {}).get("url", "")) for one in events}
elsewhere = sorted(one for one in urls if one.startswith("http") and not one.startswith("http://127.0.0.1"))
assert not elsewhere, "the page asks for %s" % elsewhere
print("%s: %.1f %% of the picture is ink, nothing else was asked for" % (model, 100 * share))
PYTHON
  rm -rf "$scratch/tree" "$scratch/port" "$scratch/asked"
done
