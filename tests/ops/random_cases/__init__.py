"""Random legal nodes: MAKERS[domain, operator] fills a case (case.py)."""
from . import elementwise, linear, microsoft, microsoft_device, microsoft_further, movement, reductions, transformer, windows

MICROSOFT = "com.microsoft"
MAKERS = {("", name): maker for module in (elementwise, reductions, movement, windows, linear)
          for name, maker in module.MAKERS.items()} | {
    (MICROSOFT, name): maker for name, maker in (microsoft.MAKERS | microsoft_further.MAKERS | microsoft_device.MAKERS).items()} | transformer.MAKERS
