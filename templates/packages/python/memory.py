# data: elements in a row, an object that numpy and memoryview take as it is.
Tensor = collections.namedtuple("Tensor", "shape data")
_least, _greatest = min, max


class Error(RuntimeError):
    """What the network says of a run that failed: (status, text)."""


def _floor_div(a, b):
    return a // b if b else 0


def _floor_mod(a, b):
    return a % b if b else 0


def _extent(tensor, rank, axis):
    shape = memoryview(tensor).shape
    if len(shape) != rank:
        raise ValueError("a tensor of %d dimensions does not tell its sizes: give them by name" % len(shape))
    return shape[axis]


def _aligned(count, align):
    """A buffer of so many bytes, and the address in it that is aligned."""
    buffer = ctypes.create_string_buffer(count + align)
    return buffer, ctypes.addressof(buffer) + -ctypes.addressof(buffer) % align


def _elements(tensor, kind, count, name, is_state):
    """The tensor as elements of C, copied where it cannot be lent, which a state has to be."""
    view = memoryview(tensor)
    if not view.c_contiguous:
        raise ValueError("%s is not contiguous" % name)
    if view.nbytes != count * ctypes.sizeof(kind):
        raise ValueError("%s has %d bytes, %d are needed" % (name, view.nbytes, count * ctypes.sizeof(kind)))
    if is_state and view.readonly:
        raise ValueError("%s is read-only, and a run writes in it" % name)
    return (kind * count).from_buffer(view) if not view.readonly else (kind * count).from_buffer_copy(view)


def _expect_apart(kept, states):
    """What a run writes in shares no memory with another argument."""
    end = state_end = 0
    for name, one in sorted(kept.items(), key=lambda item: ctypes.addressof(item[1])):
        at, size = ctypes.addressof(one), ctypes.sizeof(one)
        if size == 0:
            continue
        if at < (end if name in states else state_end):
            raise ValueError("%s shares memory with another argument, and a run writes in a state" % name)
        end = max(end, at + size)
        if name in states:
            state_end = max(state_end, at + size)
