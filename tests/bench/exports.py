#!/usr/bin/env python3
"""Networks of transformers with drawn weights, as torch exports them and as onnxruntime's tools rewrite these, through one tree each beside onnxruntime.

    exports.py --scratch FOLDER [--only REGEX] [--export] [--results FILE]
    exports.py --scratch FOLDER --only-print

`--export` writes what is not there yet: each case (export_list.py) by both exporters of torch, then what onnxruntime's fusions (opt, ext), its
quantisers (int8: dynamic, nb4: weights of 4 bits by blocks, nb4qdq: the same as DequantizeLinear) and its conversion to halves make of some. It
needs torch and transformers; without it FOLDER's models are judged as those of packages are (packages.py), which needs onnxruntime alone.
"""
import argparse
import glob
import os
import re
import warnings

import packages

# Sizes that the exporter's made-up names have: rows, tokens, tokens of the mask, past ones.
CACHED = ["s10=2,1", "s21=3,1", "s86=2,1", "s12=8,9", "s29=5,8", "s71=5,8"]
GIVEN = {"kv_dynamo|nb4": CACHED, "wav2vec2": ["samples=4000,6000", "s21=4000,6000"], "": ["seq=9,17", "s12=9,17", "s21=9,17"]}


def exported(name, path, dynamo):
    import torch
    from export_list import CASES
    torch.manual_seed(0)
    module, arguments, inputs, outputs, axes = CASES[name]()
    module.eval()
    with torch.no_grad():
        if dynamo:
            shapes = tuple({axis: torch.export.Dim.AUTO for axis in one} for one in axes)
            torch.onnx.export(module, arguments, path, input_names=inputs, output_names=outputs, dynamic_shapes=(shapes,), dynamo=True,
                              external_data=False, verbose=False)
        else:
            torch.onnx.export(module, arguments, path, input_names=inputs, output_names=outputs, dynamo=False, opset_version=17,
                              dynamic_axes={k: a for k, a in zip(inputs, axes) if a})


def fused(source, path, kind, heads, width, halves=False):
    from onnxruntime.transformers import optimizer
    model = optimizer.optimize_model(source, model_type=kind, num_heads=heads, hidden_size=width, opt_level=0)
    if halves:
        model.convert_float_to_float16(keep_io_types=True)
    model.save_model_to_file(path)


def extended(source, path):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath, options.log_severity_level = path, 4
    onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def in_bytes(source, path):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    quantize_dynamic(source, path, weight_type=QuantType.QUInt8)


def in_nibbles(source, path, **how):
    import onnx
    from onnxruntime.quantization import QuantFormat
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
    if how.pop("qdq", False):
        how["quant_format"] = QuantFormat.QDQ
    made = MatMulNBitsQuantizer(onnx.load(source), block_size=32, **how)
    made.process()
    made.model.save_model_to_file(path)


def variants():
    """(prefix, source, writer)"""
    for source, kind, heads, width in (("embedder", "bert", 12, 384), ("roberta", "bert", 6, 192), ("gpt2_kv", "gpt2", 4, 256), ("clip_text", "clip", 8, 512),
                                       ("whisper_encoder", "bart", 6, 384), ("t5_encoder", "t5", 6, 192), ("dinov2", "vit", 3, 192), ("swinv2", "swin", 3, 48)):
        yield "opt", source + "_script", lambda s, p, k=kind, h=heads, w=width: fused(s, p, k, h, w)
    for source, kind, heads, width in (("embedder", "bert", 12, 384), ("gpt2_kv", "gpt2", 4, 256)):
        yield "half", source + "_script", lambda s, p, k=kind, h=heads, w=width: fused(s, p, k, h, w, True)
    for source in ("embedder_script", "gpt2_kv_script", "qwen3_kv_dynamo", "wav2vec2_script", "t5_encoder_script"):
        yield "int8", source, in_bytes
    yield "nb4", "qwen3_kv_dynamo", lambda s, p: in_nibbles(s, p, is_symmetric=True)
    yield "nb4a", "embedder_script", lambda s, p: in_nibbles(s, p, is_symmetric=False)
    yield "nb4qdq", "qwen3_kv_dynamo", lambda s, p: in_nibbles(s, p, is_symmetric=True, qdq=True)
    yield "nb4g", "gpt2_kv_script", lambda s, p: in_nibbles(s, p, is_symmetric=False, op_types_to_quantize=("MatMul", "Gather"))
    for source in ("embedder_script", "qwen3_kv_dynamo", "segformer_script", "convnextv2_script", "whisper_encoder_dynamo", "clip_vision_script", "sam_vision_dynamo",
                   "modernbert_script", "int8_embedder_script", "wav2vec2_script", "detr_script", "rt_detr_script", "nb4_qwen3_kv_dynamo", "half_gpt2_kv_script"):
        yield "ext", source, extended


def write(name, path, writer):
    if os.path.exists(path):
        return
    try:
        writer()
    except Exception as error:  # of the exporter
        print(f"{name}: left out: {(str(error).strip().splitlines() or [type(error).__name__])[0][:160]}", flush=True)


def export(options, folder):
    from export_list import CASES
    os.makedirs(folder, exist_ok=True)
    for name in CASES:
        for kind in ("dynamo", "script"):
            path = os.path.join(folder, f"{name}_{kind}.onnx")
            if re.search(options.only, f"{name}_{kind}"):
                write(f"{name}_{kind}", path, lambda: exported(name, path, kind == "dynamo"))
    for prefix, source, writer in variants():
        path = os.path.join(folder, f"{prefix}_{source}.onnx")
        if re.search(options.only, f"{prefix}_{source}"):
            write(f"{prefix}_{source}", path, lambda: writer(os.path.join(folder, source + ".onnx"), path))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names that hold it")
    parser.add_argument("--export", action="store_true")
    packages.add_options(parser)
    options = packages.parsed(parser)
    warnings.filterwarnings("ignore")
    folder = os.path.join(options.scratch, "exports")
    if options.child:
        return packages.run_one(options)
    if options.only_print:
        return packages.print_table(packages.read(options.results))
    if options.export:
        return export(options, folder)
    for path in sorted(glob.glob(os.path.join(folder, "*.onnx")), key=os.path.getsize):
        name = os.path.basename(path)[:-5]
        if re.search(options.only, name):
            given = next(sizes for pattern, sizes in GIVEN.items() if re.search(pattern, name))
            packages.judge("transformers", path, ("x_" + name)[:30].rstrip("_"), given, options)


if __name__ == "__main__":
    main()
