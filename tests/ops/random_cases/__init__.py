"""Random legal nodes: MAKERS[domain, operator] fills a case (case.py)."""
from . import elementwise, linear, microsoft, microsoft_device, microsoft_further, movement, reductions, transformer, windows

MICROSOFT = "com.microsoft"
OLDER = {"Trilu": movement.trilu, "GridSample": windows.grid_sample}  # of ai.onnx since
MAKERS = {("", name): maker for module in (elementwise, reductions, movement, windows, linear)
          for name, maker in module.MAKERS.items()} | {
    (MICROSOFT, name): maker for makers in (OLDER, microsoft.MAKERS, microsoft_further.MAKERS, microsoft_device.MAKERS)
    for name, maker in makers.items()} | transformer.MAKERS
