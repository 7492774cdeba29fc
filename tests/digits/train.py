#!/usr/bin/env python3
"""Trains the digits network and writes everything in this folder that is not text.

    train.py [--out FOLDER] [--epochs 120] [--seed 7]

Needs Python 3.9+ with torch (CPU is enough), numpy, scikit-learn (which ships the images), onnx and
onnxruntime. Nothing of burin needs this script: its results are committed.

Data: the 1797 images (8 x 8 pixels, values 0..16) of the UCI "optical recognition of handwritten
digits" set. The last 450 are the test images, the 1347 before them are for training. Neighbours in
the file are often by one writer, so this split by position asks more than one that takes every fourth
image. Test images are looked at once, after the last epoch; nothing is chosen by them.

Network: a stem, a depthwise-separable residual block, a strided convolution, an inverted residual
block (expand, depthwise, project), global average pooling, a linear layer and a softmax. Each
convolution is followed by a batch normalisation that stays a node of its own in the file.

The same seed, versions and processor type give the same weights: one thread, deterministic kernels.
"""
import argparse
import os
from collections import OrderedDict

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F

INPUT, OUTPUT = "image", "probabilities"
TEST_IMAGES = 450


def convolution(channels_in, channels_out, size, stride=1, groups=1):
    return nn.Sequential(OrderedDict(
        conv=nn.Conv2d(channels_in, channels_out, size, stride, size // 2, groups=groups, bias=False),
        norm=nn.BatchNorm2d(channels_out)))


class Separable(nn.Module):
    """x + pointwise(relu(depthwise(x))), then relu."""

    def __init__(self, channels):
        super().__init__()
        self.depthwise = convolution(channels, channels, 3, groups=channels)
        self.pointwise = convolution(channels, channels, 1)

    def forward(self, x):
        return F.relu(x + self.pointwise(F.relu(self.depthwise(x))))


class Inverted(nn.Module):
    """x + project(relu(depthwise(relu(expand(x))))): the residual joins the narrow ends."""

    def __init__(self, channels, wide):
        super().__init__()
        self.expand = convolution(channels, wide, 1)
        self.depthwise = convolution(wide, wide, 3, groups=wide)
        self.project = convolution(wide, channels, 1)

    def forward(self, x):
        return x + self.project(F.relu(self.depthwise(F.relu(self.expand(x)))))


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = convolution(1, 24, 3)
        self.separable = Separable(24)
        self.down = convolution(24, 48, 3, stride=2)
        self.inverted = Inverted(48, 96)
        self.classify = nn.Linear(48, 10)

    def logits(self, image):
        x = self.separable(F.relu(self.stem(image)))
        x = self.inverted(F.relu(self.down(x)))
        return self.classify(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))

    def forward(self, image):
        return F.softmax(self.logits(image), dim=1)


def jitter(images, generator):
    """Each image turned by up to 12 degrees, scaled by up to 8 % and moved by up to 0.6 pixels."""
    n = len(images)
    noise = torch.rand(4, n, generator=generator) * 2 - 1
    angle, scale = noise[0] * (12 * np.pi / 180), 1 + noise[1] * 0.08
    turn = torch.zeros(n, 2, 3)
    turn[:, 0, 0] = turn[:, 1, 1] = torch.cos(angle) * scale
    turn[:, 0, 1] = torch.sin(angle) * scale
    turn[:, 1, 0] = -turn[:, 0, 1]
    turn[:, :, 2] = noise[2:].T * (0.6 * 2 / 8)
    grid = F.affine_grid(turn, images.shape, align_corners=False)
    return F.grid_sample(images, grid, align_corners=False)


def train(images, labels, epochs, seed):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model, batch = Digits(), 64
    steps = epochs * -(-len(images) // batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for part in torch.randperm(len(images), generator=generator).split(batch):
            predicted = model.logits(jitter(images[part], generator))
            loss = F.cross_entropy(predicted, labels[part], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(part)
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1:3}: loss {total / len(images):.4f}", flush=True)
    return model.eval()


def export(model, path):
    """Writes the evaluation-mode network with its batch normalisations unfolded."""
    torch.onnx.export(model, (torch.zeros(2, 1, 8, 8),), path, dynamo=False, opset_version=17,
                      training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False,
                      input_names=[INPUT], output_names=[OUTPUT],
                      dynamic_axes={INPUT: {0: "batch"}, OUTPUT: {0: "batch"}})
    file = onnx.load(path)
    for node in file.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    file.graph.name = "digits"
    onnx.checker.check_model(file, full_check=True)
    onnx.save(file, path)


def write_tensor(path, array, name):
    with open(path, "wb") as out:
        out.write(numpy_helper.from_array(array, name).SerializeToString())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--epochs", type=int, default=120)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)

    digits = load_digits()
    pixels = digits.images.astype(np.uint8)[:, None]
    is_test = np.arange(len(pixels)) >= len(pixels) - TEST_IMAGES
    scaled = pixels.astype(np.float32) / 16
    model = train(torch.from_numpy(scaled[~is_test]), torch.from_numpy(digits.target[~is_test]),
                  options.epochs, options.seed)

    path = os.path.join(options.out, "digits.onnx")
    export(model, path)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    answers = session.run(None, {INPUT: scaled[is_test]})[0].argmax(1)
    right = int((answers == digits.target[is_test]).sum())
    print(f"test accuracy {right}/{is_test.sum()} = {100 * right / is_test.sum():.2f} %, "
          f"{sum(p.numel() for p in model.parameters())} parameters, {os.path.getsize(path)} bytes")

    pixels[is_test].tofile(os.path.join(options.out, "digits_test_images.bin"))
    digits.target[is_test].astype(np.uint8).tofile(os.path.join(options.out, "digits_test_labels.bin"))
    for number, count in ((0, 3), (1, 7)):  # two sizes of the symbolic batch
        folder = os.path.join(options.out, f"test_data_set_{number}")
        os.makedirs(folder, exist_ok=True)
        images = scaled[is_test][:count]
        write_tensor(os.path.join(folder, "input_0.pb"), images, INPUT)
        write_tensor(os.path.join(folder, "output_0.pb"),
                     session.run(None, {INPUT: images})[0], OUTPUT)


if __name__ == "__main__":
    main()
