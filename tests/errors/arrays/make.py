#!/usr/bin/env python3
"""Writes the files beside it as NumPy, Pillow and Python's wave module do: what burin run must read."""
import wave

import numpy
from PIL import Image

x = numpy.array([[0, 1, 2], [-4, 0.5, 100]], numpy.float32)
numpy.savez("stored.npz", x=x, other=numpy.array([7], numpy.int64))
numpy.savez_compressed("packed.npz", x=x)
numpy.savez("only.npz", arr=x)
rgb = numpy.array([[[0, 51, 255], [255, 0, 51]], [[102, 102, 102], [1, 2, 3]]], numpy.uint8)
Image.fromarray(rgb).save("rgb.png")
Image.fromarray(numpy.array([[0, 51, 255], [102, 153, 204]], numpy.uint8)).save("gray.png")
with wave.open("mono16.wav", "wb") as out:
    out.setparams((1, 2, 16000, 0, "NONE", ""))
    out.writeframes(numpy.array([0, 16384, -32768, 32767], "<i2").tobytes())
with wave.open("stereo8.wav", "wb") as out:
    out.setparams((2, 1, 8000, 0, "NONE", ""))
    out.writeframes(bytes([128, 0, 192, 255, 64, 128]))
