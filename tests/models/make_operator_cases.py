#!/usr/bin/env python3
"""Makes operators/NAME/{model.onnx,test_data_set_0}: one small case for each operator that the ONNX project's
packaged test data does not have. Expected outputs are onnxruntime's for com.microsoft and ai.onnx.ml and the ONNX
reference evaluator's for ai.onnx. Needs numpy, onnx (1.23 or later) and onnxruntime; running it again gives the same bytes.
"""
import math
import os
import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

HERE = os.path.dirname(os.path.abspath(__file__))
MICROSOFT, ML = "com.microsoft", "ai.onnx.ml"
random = np.random.RandomState(3)


def real(*shape):
    return random.standard_normal(shape).astype(np.float32)


def byte(*shape):
    return random.randint(0, 256, shape).astype(np.uint8)


def signed(*shape):
    return random.randint(-128, 128, shape).astype(np.int8)


def scale(value):
    return np.array(value, np.float32)


def zero(value):
    return np.array(value, np.uint8)


def long(*values):
    return np.array(values, np.int64)


def texts(*values):
    return np.array(values, object)


def tensor(dtype, *values):
    return numpy_helper.from_array(np.array(values, dtype))


def trees(prefix, ids):
    """x0 <= 0 ? (x1 > 0.5 ? 3 : 4) : 2, and a leaf alone."""
    return {"nodes_treeids": [0, 0, 0, 0, 0, 1], "nodes_nodeids": [0, 1, 2, 3, 4, 0], "nodes_featureids": [0, 1, 0, 0, 0, 0],
            "nodes_values": [0., .5, 0., 0., 0., 0.],
            "nodes_modes": ["BRANCH_LEQ", "BRANCH_GT", "LEAF", "LEAF", "LEAF", "LEAF"],
            "nodes_truenodeids": [1, 3, 0, 0, 0, 0], "nodes_falsenodeids": [2, 4, 0, 0, 0, 0],
            prefix + "_treeids": [0, 0, 0, 1], prefix + "_nodeids": [2, 3, 4, 0], prefix + "_ids": ids,
            prefix + "_weights": [1., -2., .5, .25]}


# name: (domain, opset, inputs, attributes, which inputs are constants)
CASES = {
    "FastGelu": (MICROSOFT, 1, [real(2, 5), real(5)], {}, ()),
    "BiasGelu": (MICROSOFT, 1, [real(2, 5), real(5)], {}, ()),
    "QuickGelu": (MICROSOFT, 1, [real(2, 5)], {"alpha": 1.5}, ()),
    "FusedMatMul": (MICROSOFT, 1, [real(2, 4, 3), real(5, 4)], {"alpha": 0.5, "transA": 1, "transB": 1}, ()),
    "FusedConv": (MICROSOFT, 1, [real(1, 3, 6, 6), real(4, 3, 3, 3), real(4)],
                  {"activation": "LeakyRelu", "activation_params": [0.2], "pads": [1, 1, 1, 1]}, ()),
    "FusedGemm": (MICROSOFT, 1, [real(3, 4), real(4, 5), real(5)], {"activation": "Relu", "alpha": 0.5}, ()),
    "SkipLayerNormalization": (MICROSOFT, 1, [real(2, 3, 8), real(2, 3, 8), real(8), real(8), real(8)],
                               {"epsilon": 1e-5}, ()),
    "QLinearAdd": (MICROSOFT, 1, [byte(2, 3, 4), scale(.1), zero(120), byte(4), scale(.05), zero(100),
                                  scale(.12), zero(130)], {}, ()),
    "QLinearMul": (MICROSOFT, 1, [byte(2, 3, 4), scale(.1), zero(120), byte(4), scale(.05), zero(100),
                                  scale(.6), zero(130)], {}, ()),
    "QLinearSigmoid": (MICROSOFT, 1, [byte(2, 30), scale(.05), zero(120), scale(1 / 256), zero(0)], {}, (1, 2, 3, 4)),
    "QLinearLeakyRelu": (MICROSOFT, 1, [byte(2, 30), scale(.05), zero(120), scale(.05), zero(90)],
                         {"alpha": .2}, (1, 2, 3, 4)),
    "QLinearGlobalAveragePool": (MICROSOFT, 1, [byte(2, 3, 5, 5), scale(.05), zero(120), scale(.02), zero(128)],
                                 {"channels_last": 0}, ()),
    "QLinearConcat": (MICROSOFT, 1, [scale(.1), zero(100), byte(2, 3), scale(.05), zero(120), byte(2, 2), scale(.2),
                                     zero(90)], {"axis": 1}, ()),
    "QGemm": (MICROSOFT, 1, [byte(3, 4), scale(.1), zero(120), signed(4, 5), real(5) ** 2 + scale(.01),
                             signed(5) * 0, random.randint(-99, 99, (5,)).astype(np.int32), scale(3.), zero(128)],
              {}, tuple(range(1, 9))),
    "QLinearAveragePool": (MICROSOFT, 1, [np.arange(36, dtype=np.uint8).reshape(1, 1, 6, 6) * 7, scale(.05), zero(120),
                                          scale(.02), zero(100)],
                           {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}, (1, 2, 3, 4)),
    "QLinearSoftmax": (MICROSOFT, 1, [np.arange(24, dtype=np.uint8).reshape(2, 3, 4) * 3, scale(.1), zero(20),
                                      scale(1 / 256), zero(0)], {"axis": 1, "opset": 13}, (1, 2, 3, 4)),
    "DynamicQuantizeMatMul": (MICROSOFT, 1, [real(3, 4), signed(4, 5), scale(.02), np.array(3, np.int8), real(5)],
                              {}, ()),
    "MatMulNBits": (MICROSOFT, 1, [real(3, 40), byte(6, 2, 16), real(12) ** 2, byte(6)],
                    {"K": 40, "N": 6, "bits": 4, "block_size": 32}, (1, 2, 3)),
    "AffineGrid": ("", 20, [real(2, 2, 3), long(2, 3, 4, 5)], {"align_corners": 1}, (1,)),
    "CenterCropPad": ("", 18, [real(5, 7), long(3, 9)], {}, (1,)),
    "Col2Im": ("", 18, [real(1, 5, 5), long(5, 5), long(1, 5)], {}, (1, 2)),
    "Attention": ("", 23, [real(2, 3, 4, 8), real(2, 3, 6, 8), real(2, 3, 6, 8)], {}, ()),
    "BitwiseAnd": ("", 18, [signed(3, 4), signed(4)], {}, ()),
    "BitwiseNot": ("", 18, [byte(3, 4)], {}, ()),
    "BitwiseOr": ("", 18, [signed(3, 4), signed(3, 1)], {}, ()),
    "BitwiseXor": ("", 18, [byte(3, 4), byte(4)], {}, ()),
    "EyeLike": ("", 18, [real(4, 6)], {"k": 1}, ()),
    "Gelu": ("", 20, [real(3, 5)], {"approximate": "tanh"}, ()),
    "GlobalLpPool": ("", 18, [real(2, 3, 4, 5)], {"p": 3}, ()),
    "GroupNormalization": ("", 21, [real(2, 6, 3, 4), real(6), real(6)], {"num_groups": 3}, ()),
    "LpNormalization": ("", 18, [real(3, 5, 2)], {"axis": 1, "p": 1}, ()),
    "LpPool": ("", 18, [real(1, 2, 7, 6)], {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1],
                                            "p": 3}, ()),
    "Mish": ("", 18, [real(3, 5)], {}, ()),
    "RMSNormalization": ("", 23, [real(2, 3, 8), real(8)], {"epsilon": 1e-3}, ()),
    "Size": ("", 18, [real(2, 3, 5)], {}, ()),
    "ms_Gelu": (MICROSOFT, 1, [real(3, 5)], {}, ()),
    "Swish": ("", 24, [real(3, 5)], {"alpha": 1.3}, ()),
    "TensorScatter": ("", 24, [real(2, 3, 5, 2), real(2, 3, 4, 2), long(3, 1)], {"mode": "circular"}, ()),
    "DeformConv": ("", 19, [real(2, 4, 6, 5), real(6, 2, 3, 2), real(2, 24, 3, 2), real(6), real(2, 12, 3, 2)],
                   {"group": 2, "offset_group": 2, "pads": [1, 0, 1, 1], "strides": [2, 2], "dilations": [1, 2]}, (1,)),
    "MaxRoiPool": ("", 18, [real(2, 3, 7, 6), np.array([[0, 1, 1, 4, 5], [1, 0, 2, 3.6, 2], [1, 4, 4, 9, 9]],
                                                       np.float32)],
                   {"pooled_shape": [3, 2], "spatial_scale": 0.7}, ()),
    "Affine": ("", 7, [real(2, 3)], {"alpha": 2.0, "beta": 0.5}, ()),
    "ScaledTanh": ("", 7, [real(2, 3)], {"alpha": 1.5, "beta": 0.7}, ()),
    "ParametricSoftplus": ("", 7, [real(2, 3)], {"alpha": 0.8, "beta": 1.2}, ()),
    "ImageScaler": ("", 7, [real(1, 3, 4, 6)], {"bias": [0.1, 0.2, 0.3], "scale": 2.0}, ()),
    "Crop": ("", 7, [real(1, 3, 4, 6)], {"border": [1, 0, 2, 1]}, ()),
    "Scaler": (ML, 1, [real(4, 3)], {"offset": [0.5, 1.0, -2.0], "scale": [2.0, 0.25, 3.0]}, ()),
    "Binarizer": (ML, 1, [real(4, 3)], {"threshold": 0.25}, ()),
    "Normalizer": (ML, 1, [real(4, 3)], {"norm": "L2"}, ()),
    "Imputer": (ML, 1, [np.array([[np.nan, 1, 2], [3, np.nan, 4]], np.float32)],
                {"imputed_value_floats": [5.0, 6.0, 7.0], "replaced_value_float": float("nan")}, ()),
    "ArrayFeatureExtractor": (ML, 1, [real(4, 5), long(3, 0, 3)], {}, ()),
    "FeatureVectorizer": (ML, 1, [real(4, 2), real(4, 3)], {"inputdimensions": [2, 3]}, ()),
    "OneHotEncoder": (ML, 1, [np.array([[5, 1], [2, 9]], np.int64)], {"cats_int64s": [5, 1, 2], "zeros": 1}, ()),
    "LabelEncoder": (ML, 2, [np.array([[5, 1], [2, 9]], np.int64)],
                     {"keys_int64s": [1, 2, 5], "values_floats": [0.25, 0.5, 8.0], "default_float": -3.0}, ()),
    "LinearRegressor": (ML, 1, [real(4, 3)], {"coefficients": [1.0, 2.0, 3.0, -1.0, 0.5, 0.25],
                                              "intercepts": [0.1, 0.2], "targets": 2}, ()),
    "LinearClassifier": (ML, 1, [real(6, 3)], {"coefficients": [1.0, 2.0, 3.0, -1.0, 0.5, 0.25, 0.1, 0.2, -0.3],
                                               "intercepts": [0.1, 0.2, 0.3], "classlabels_ints": [7, 3, 5],
                                               "post_transform": "SOFTMAX", "multi_class": 1}, ()),
    "CausalConvWithState": ("", 27, [real(2, 3, 5), real(3, 1, 3), real(3), real(2, 3, 2)], {"activation": "silu"}, ()),
    "LinearAttention": ("", 27, [real(2, 3, 8), real(2, 3, 4), real(2, 3, 6), real(2, 2, 2, 3), -real(2, 3, 4) ** 2,
                                 real(2, 3, 2) ** 2], {"q_num_heads": 4, "kv_num_heads": 2}, ()),
    "TreeEnsembleRegressor": (ML, 3, [real(6, 2)], trees("target", [0, 1, 0, 1]) | {"n_targets": 2}, ()),
    "TreeEnsembleClassifier": (ML, 3, [real(6, 2)], trees("class", [0, 1, 2, 2]) | {
        "classlabels_int64s": [7, 3, 5], "post_transform": "SOFTMAX"}, ()),
    "TreeEnsemble": (ML, 5, [real(6, 2)], {
        "nodes_splits": tensor(np.float32, .25, -.5), "nodes_modes": tensor(np.uint8, 0, 3), "nodes_featureids": [0, 1],
        "nodes_truenodeids": [0, 1], "nodes_falsenodeids": [1, 2], "nodes_trueleafs": [1, 1], "nodes_falseleafs": [0, 1],
        "leaf_targetids": [0, 1, 0], "leaf_weights": tensor(np.float32, 1, 2.5, -3), "n_targets": 2, "tree_roots": [0]},
                     ()),
    "SVMRegressor": (ML, 1, [real(4, 3)], {"kernel_type": "RBF", "kernel_params": [.25, 0., 0.], "n_supports": 2,
                                           "support_vectors": [1., 0., -1., .5, .5, 0.], "coefficients": [2., -1.],
                                           "rho": [.5]}, ()),
    "SVMClassifier": (ML, 1, [real(6, 2)], {
        "classlabels_ints": [4, 5, 6], "vectors_per_class": [1, 2, 1], "kernel_type": "POLY",
        "kernel_params": [.5, 1., 2.], "support_vectors": [1., 0., 0., 1., -1., -1., .5, -.5],
        "coefficients": [1., -1., -2., .5, 3., 2., -1., .25], "rho": [.5, 0., -.25], "prob_a": [-1., -2., -.5],
        "prob_b": [0., .1, -.1]}, ()),
    "DynamicQuantizeLSTM": (MICROSOFT, 1, [real(4, 1, 5), signed(1, 5, 12), signed(1, 3, 12), real(1, 24),
                                           np.array([4], np.int32), real(1, 1, 3), real(1, 1, 3), real(1, 9),
                                           np.array([.01], np.float32), np.array([3], np.int8),
                                           np.array([.02], np.float32), np.array([-4], np.int8)],
                            {"hidden_size": 3}, (1, 2, 3, 7, 8, 9, 10, 11)),
    "QAttention": (MICROSOFT, 1, [byte(2, 3, 8), signed(8, 24), real(24), scale(.01), scale(.02),
                                  np.array([3, 2], np.int32), zero(120), np.array(3, np.int8)],
                   {"num_heads": 2}, (1, 2, 3, 4, 6, 7)),
    "MatMulBnb4": (MICROSOFT, 1, [real(2, 32), byte(48), real(6) ** 2],
                   {"K": 32, "N": 3, "block_size": 16, "quant_type": 1}, (1, 2)),
    "ms_QLinearConv": (MICROSOFT, 1, [byte(1, 5, 4, 3), scale(.1), zero(120), signed(2, 3, 2, 2), scale(.02),
                                      np.array(0, np.int8), scale(.5), zero(100)],
                       {"channels_last": 1}, (1, 2, 3, 4, 5, 6, 7)),
    "GroupNorm": (MICROSOFT, 1, [real(2, 3, 2, 4), real(4), real(4)], {"groups": 2, "activation": 1}, ()),
    "GatedRelativePositionBias": (MICROSOFT, 1, [real(2, 3, 8), real(8), real(1, 2, 3, 3), real(4, 6), real(6),
                                                 real(1, 2, 1, 1)], {"num_heads": 2}, ()),
    "BitCast": ("", 26, [real(3, 4)], {"to": onnx.TensorProto.INT32}, ()),
    "CumProd": ("", 26, [real(3, 5), np.array(1, np.int64)], {"exclusive": 1, "reverse": 1}, (1,)),
    "SwiGLU": ("", 28, [real(3, 5), real(3, 5)], {"alpha": 1.5}, ()),
    "FlexAttention": ("ai.onnx.preview", 1, [real(1, 2, 3, 4), real(1, 2, 5, 4), real(1, 2, 5, 6)], {}, ()),
    "ZipMap": (ML, 1, [real(4, 3)], {"classlabels_int64s": [2, 5, 9]}, ()),
    "BiasSplitGelu": (MICROSOFT, 1, [real(2, 3, 8), real(8)], {}, ()),
    "GatherBlockQuantized": (MICROSOFT, 1, [byte(5, 32), np.array([[3, 0], [4, 1]], np.int64), real(5, 2) ** 2,
                                            byte(5, 2)], {"bits": 8, "block_size": 16}, (0, 2, 3)),
    "Inverse": (MICROSOFT, 1, [real(2, 4, 4) + 4 * np.eye(4, dtype=np.float32)], {}, ()),
    "NhwcConv": (MICROSOFT, 1, [real(1, 5, 4, 3), real(2, 3, 2, 2), real(2)], {"kernel_shape": [2, 2]}, (1, 2)),
    "NhwcMaxPool": (MICROSOFT, 1, [byte(1, 6, 5, 3)], {"kernel_shape": [3, 2], "strides": [2, 1]}, ()),
    "QLinearWhere": (MICROSOFT, 1, [byte(3, 4) > 127, byte(3, 4), scale(.1), zero(120), byte(1, 4), scale(.2), zero(100),
                                    scale(.15), zero(110)], {}, (2, 3, 5, 6, 7, 8)),
    "MoE": (MICROSOFT, 1, [real(2, 3, 8), real(6, 4), real(4, 10, 8), real(4, 10), real(4, 8, 5), real(4, 8)],
            {"k": 2, "activation_type": "swiglu", "swiglu_fusion": 1, "swiglu_limit": 1.5, "activation_alpha": 1.7,
             "activation_beta": 1.0, "normalize_routing_weights": 1}, (2, 3, 4, 5)),
    "MoE@gelu": (MICROSOFT, 1, [real(5, 8), real(5, 4), real(4, 6, 8), real(4, 8, 6)],
                 {"k": 1, "activation_type": "gelu"}, (2,)),
    "QMoE": (MICROSOFT, 1, [real(5, 32), real(5, 3), byte(3, 32, 16), real(3, 32, 2) ** 2 / 9, real(3, 32), byte(3, 32, 16),
                            real(3, 32, 2) ** 2 / 9, real(3, 32), byte(3, 32, 1), byte(3, 32, 1)],
             {"k": 2, "block_size": 16, "activation_type": "silu"}, (2, 3, 4, 5, 6, 7, 8, 9)),
    "RelativePositionBias": (MICROSOFT, 1, [real(8, 2), np.array(5, np.int64), np.array(30, np.int64)],
                             {"max_distance": 20, "is_bidirectional": 1}, ()),
    "QLinearAveragePool@halves": (MICROSOFT, 1, [byte(1, 2, 9, 9), scale(.1), zero(121), scale(.05), zero(7)],
                                  {"kernel_shape": [2, 2], "strides": [1, 1]}, (1, 2, 3, 4)),
    "QLinearGlobalAveragePool@halves": (MICROSOFT, 1, [byte(2, 40, 2, 5), scale(.1), zero(121), scale(.02), zero(7)], {},
                                        (1, 2, 3, 4)),
    "QLinearMul@halves": (MICROSOFT, 1, [byte(400), scale(.1), zero(120), byte(400), scale(.05), zero(101), scale(.02),
                                         zero(131)], {}, (1, 2, 4, 5, 6, 7)),
    "DFT@axis": ("", 20, [real(2, 5, 3, 2), np.array(4, np.int64), np.array(-2, np.int64)], {}, (1,)),
    "MelWeightMatrix": ("", 17, [np.array(6, np.int64), np.array(32, np.int64), np.array(16000, np.int64), scale(20),
                                 scale(7600)], {}, ()),
    "Cast@four_bits": ("", 25, [real(6, 7) * 3], {"to": onnx.TensorProto.FLOAT4E2M1}, ()),
    "Cast@exponents": ("", 25, [real(6, 7)], {"to": onnx.TensorProto.FLOAT8E8M0, "round_mode": "nearest"}, ()),
    "Cast@exponents_down": ("", 25, [real(6, 7)], {"to": onnx.TensorProto.FLOAT8E8M0, "round_mode": "down"}, ()),
    "Cast@two_bits": ("", 25, [random.randint(-9, 9, (3, 7)).astype(np.int32)], {"to": onnx.TensorProto.INT2}, ()),
    "Cast@of_two_bits": ("", 25, [random.randint(0, 4, (3, 7)).astype(ml_dtypes.uint2)], {"to": onnx.TensorProto.FLOAT}, ()),
    "QuantizeLinear@two_bits": ("", 25, [real(4, 6), scale(.4), random.randint(-2, 2, ()).astype(ml_dtypes.int2)], {}, (1, 2)),
    "DequantizeLinear@four_bits": ("", 25, [real(4, 8).astype(ml_dtypes.float4_e2m1fn),
                                            (2.0 ** random.randint(-4, 4, (4, 2))).astype(np.float32)],
                                   {"axis": 1, "block_size": 4}, (1,)),
    # Strings.
    "StringConcat": ("", 20, [texts("a", "\u00e9b", ""), texts("c", "", "\u4e2d")], {}, ()),
    "StringSplit": ("", 20, [texts("a,b", "f", "c,,d,e")], {"delimiter": ",", "maxsplit": 2}, ()),
    "RegexFullMatch": ("", 20, [texts("ab12", "ab", "x\u00e9", "12")], {"pattern": r"[a-z]+\d+|x.|\b"}, ()),
    "LabelEncoder@strings": (ML, 2, [texts("b", "zz", "a")], {"keys_strings": ["a", "b"], "values_int64s": [7, 9], "default_int64": -1}, ()),
    "LabelEncoder@to_strings": (ML, 2, [long(9, 8, 7)], {"keys_int64s": [7, 9], "values_strings": ["a", "b\u00e9"]}, ()),
    "CategoryMapper": (ML, 1, [texts("b", "zz", "a")], {"cats_strings": ["a", "b"], "cats_int64s": [7, 9]}, ()),
    "OneHotEncoder@strings": (ML, 1, [texts("b", "zz", "a")], {"cats_strings": ["a", "b"]}, ()),
    "Tokenizer": (MICROSOFT, 1, [texts("a bc, d", "", "\u00e9xy z")],
                  {"tokenexp": "[a-z]+", "mincharnum": 2, "mark": 0, "pad_value": "#"}, ()),
    "DecoderMaskedMultiHeadAttention": (
        MICROSOFT, 1, [real(4, 1, 16), real(4, 1, 16), real(4, 1, 16), np.array([[1, 1, 1, 1], [0, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 1]],
                                                                                np.int32),
                       real(4, 2, 6, 8), real(4, 2, 6, 8), np.array([3], np.int32), np.array([2], np.int32),
                       random.randint(0, 2, (2, 2, 6)).astype(np.int32), real(48)],
        {"num_heads": 2, "past_present_share_buffer": 1}, (9,)),
    "DecoderMaskedMultiHeadAttention@crossed": (
        MICROSOFT, 1, [real(2, 1, 8), real(2, 2, 5, 4), real(2, 2, 5, 4), np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)],
        {"num_heads": 2, "scale": .4}, ()),
    "PackedMultiHeadAttention": (
        MICROSOFT, 1, [real(7, 8), real(7, 8), real(7, 8), real(24), np.array([[0, 4, 5, 8], [9, 10, 11, 1], [2, 3, 6, 7]], np.int32),
                       np.array([0, 1, 3, 7], np.int32), real(1, 2, 4, 4)], {"num_heads": 2}, (3,)),
    "QEmbedLayerNormalization": (
        MICROSOFT, 1, [np.array([[4, 0, 2], [1, 1, 3]], np.int32), np.array([[0, 1, 1], [0, 0, 1]], np.int32), byte(5, 8), byte(6, 8),
                       byte(2, 8), byte(8), byte(8), np.array([[1, 1, 0], [1, 1, 1]], np.int32),
                       *map(scale, (.02, .03, .01, .015, .025)), *map(zero, (120, 99, 130, 3, 128))],
        {"epsilon": 1e-5}, (2, 3, 4, 5, 6, *range(8, 18))),
    "ms_Trilu": (MICROSOFT, 1, [real(2, 4, 5), np.array(-1)], {"upper": 0}, ()),
    "ms_GridSample": (MICROSOFT, 1, [real(1, 2, 4, 5), real(1, 3, 2, 2)], {"mode": "bicubic", "padding_mode": "border"}, ()),
}
# Inputs that are left out in the middle: case -> at which place so many.
ABSENT = {"QMoE": {8: 3}, "MoE@gelu": {3: 1}, "DecoderMaskedMultiHeadAttention": {4: 1}}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def group_norm(x, gamma, beta):
    rows = x.reshape(2, 6, 2, 2).astype(np.float64)
    mean, variance = rows.mean((1, 3), keepdims=True), rows.var((1, 3), keepdims=True)
    y = ((rows - mean) / np.sqrt(variance + 1e-5)).reshape(x.shape) * gamma + beta
    return y * sigmoid(y)


def gated_bias(query, shift, positions, weight, bias, eco):
    heads = (query + shift).astype(np.float64).reshape(2, 3, 2, 4).transpose(0, 2, 1, 3)
    u, r = np.split(sigmoid((heads @ weight + bias).reshape(2, 2, 3, 2, 3).sum(-1)), 2, -1)
    return (u * (r * eco - 1) + 2) * positions


def bias_split_gelu(x, bias):
    left, right = np.split((x + bias).astype(np.float64), 2, -1)
    return left * right * 0.5 * (1 + np.vectorize(math.erf)(right / np.sqrt(2)))


def cumulated(x, axis):
    turned = np.cumprod(x[:, ::-1].astype(np.float64), 1)
    return np.concatenate([np.ones((len(x), 1)), turned[:, :-1]], 1)[:, ::-1]


def nhwc_conv(x, w, bias):
    y = np.zeros((1, 4, 3, 2))
    for i in range(4):
        for j in range(3):
            y[0, i, j] = np.tensordot(w.astype(np.float64).transpose(0, 2, 3, 1), x[0, i:i + 2, j:j + 2], 3) + bias
    return y


def flex_attention(q, k, v):
    scores = q.astype(np.float64) @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


def relative_bias(table, queries, keys):
    ahead = np.arange(keys)[None, :] - np.arange(queries)[:, None]
    apart, half = np.abs(ahead), len(table) // 2
    exact = half // 2
    far = exact + (np.log(np.maximum(apart, exact) / exact) / np.log(20 / exact) * (half - exact)).astype(int)
    bucket = np.where(apart < exact, apart, np.minimum(far, half - 1)) + half * (ahead > 0)
    return table[bucket].transpose(2, 0, 1)[None]


def packed_attention(q, k, v, bias, _, begins, scores):
    """Each sequence by itself through MultiHeadAttention of onnxruntime."""
    out = []
    for first, end in zip(begins, begins[1:]):
        feeds = {"q": q[first:end], "k": k[first:end], "v": v[first:end]}
        feeds = {name: array[None] for name, array in feeds.items()} | {"b": bias, "s": scores[:, :, :end - first, :end - first]}
        node = helper.make_node("MultiHeadAttention", ["q", "k", "v", "b", "", "s"], ["y"], domain=MICROSOFT, num_heads=2)
        graph = helper.make_graph([node], "one", [helper.make_tensor_value_info(name, 1, array.shape) for name, array in feeds.items()],
                                  [onnx.ValueInfoProto(name="y")])
        one = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(MICROSOFT, 1)], ir_version=9)
        session = onnxruntime.InferenceSession(one.SerializeToString(), providers=["CPUExecutionProvider"])
        out.append(session.run(None, feeds)[0][0])
    return np.concatenate(out)


# What onnxruntime has for other devices only, and what the reference evaluator has not.
FORMULAS = {"GroupNorm": group_norm, "GatedRelativePositionBias": gated_bias, "BiasSplitGelu": bias_split_gelu,
            "CumProd": cumulated, "NhwcConv": nhwc_conv, "RelativePositionBias": relative_bias, "FlexAttention": flex_attention,
            "SwiGLU": lambda a, b: a * sigmoid(1.5 * a) * b, "BitCast": lambda x: x.view(np.int32), "ZipMap": lambda x: x,
            "PackedMultiHeadAttention": packed_attention}
RETIRED = ("Affine", "ScaledTanh", "ParametricSoftplus", "ImageScaler", "Crop")  # onnxruntime still has them
# Sizes that only the run knows; otherwise the result is computed when code is generated.
SYMBOLIC = ("EyeLike", "Size")
# The reference evaluator has not the first, and forgets the absolute values of the second.
OUTPUTS = {"LinearClassifier": 2, "TreeEnsembleClassifier": 2, "SVMClassifier": 2, "CausalConvWithState": 2,
           "LinearAttention": 2, "DynamicQuantizeLSTM": 3, "StringSplit": 2, "DecoderMaskedMultiHeadAttention": 3,
           "QEmbedLayerNormalization": 2, "DecoderMaskedMultiHeadAttention@crossed": 1}  # others have one
BY_RUNTIME = ("GlobalLpPool", "LpNormalization", "MaxRoiPool")


def save(path, name, array):
    with open(path, "wb") as out:
        out.write(numpy_helper.from_array(array, name).SerializeToString(deterministic=True))


for case, (domain, opset, inputs, attributes, constants) in CASES.items():
    op = case.removeprefix("ms_").split("@")[0]
    names = [f"input_{i}" for i in range(len(inputs))]
    operands = [name for i, name in enumerate(names) for name in [""] * ABSENT.get(case, {}).get(i, 0) + [name]]
    given = [i for i in range(len(inputs)) if i not in constants]
    results = ["output"] + [f"output_{k}" for k in range(1, OUTPUTS.get(case, OUTPUTS.get(op, 1)))]

    def info(name, array):
        shape = [f"{name}_{d}" for d in range(array.ndim)] if op in SYMBOLIC else array.shape
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), shape)

    def model(outputs):
        graph = helper.make_graph([helper.make_node(op, operands, results, domain=domain, **attributes)], op,
                                  [info(names[i], inputs[i]) for i in given], outputs,
                                  [numpy_helper.from_array(inputs[i], names[i]) for i in constants])
        opsets = [helper.make_opsetid("", opset if op in RETIRED else max(opset, 18))]
        if domain:
            opsets.append(helper.make_opsetid(domain, opset))
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)

    feeds = {names[i]: inputs[i] for i in given}
    untyped = model([onnx.ValueInfoProto(name=name) for name in results])
    if op in FORMULAS:
        found = [FORMULAS[op](*inputs)]
        found = [y if y.dtype == np.int32 else y.astype(np.float32) for y in found]
    elif domain or op in BY_RUNTIME + RETIRED:
        session = onnxruntime.InferenceSession(untyped.SerializeToString(), providers=["CPUExecutionProvider"])
        found = session.run(None, feeds)
    else:
        found = ReferenceEvaluator(untyped).run(None, feeds)
    folder = os.path.join(HERE, "operators", case.lower().replace("@", "_"), "test_data_set_0")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "..", "model.onnx"), "wb") as out:
        typed = model([info(name, result) for name, result in zip(results, found)])
        out.write(typed.SerializeToString(deterministic=True))
    for k, i in enumerate(given):
        save(os.path.join(folder, f"input_{k}.pb"), names[i], inputs[i])
    for k, result in enumerate(found):
        save(os.path.join(folder, f"output_{k}.pb"), results[k], result)
