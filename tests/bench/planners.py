"""Planners of memory to compare with, straight from their descriptions: slow and clear.

A problem is a list of buffers (bytes, [(first, last), ...]): the steps at which each is held, both ends included. Each
planner gives the height that it reaches. None looks at what the others do.
"""


def together(a, b):
    return any(x <= v and u <= y for x, y in a for u, v in b)


def live_sums(buffers):
    """Bytes that are held at every step."""
    end = max((last for _, live in buffers for _, last in live), default=-1) + 1
    sums = [0] * end
    for size, live in buffers:
        for first, last in live:
            for step in range(first, last + 1):
                sums[step] += size
    return sums


def lower_bound(buffers):
    return max(live_sums(buffers), default=0)


def best_fit(buffers, order):
    """One after the other into the smallest hole that is large enough, else on top of what is there."""
    placed = []
    for number in order:
        size, live = buffers[number]
        taken = sorted((start, start + other) for start, other, held in placed if together(live, held))
        holes, free = [], 0
        for start, end in taken:
            if start - free >= size:
                holes.append((start - free, free))
            free = max(free, end)
        placed.append((min(holes)[1] if holes else free, size, live))
    return max((start + size for start, size, _ in placed), default=0)


def in_time(buffers):
    """As MNN allocates: in the order of time, each from the blocks that are free at that moment."""
    return best_fit(buffers, sorted(range(len(buffers)), key=lambda b: (buffers[b][1][0][0], -buffers[b][0])))


def peak_outward(buffers):
    """SoD2 4.4.1: from the step with the most bytes forward and backward."""
    sums = live_sums(buffers)
    peak = sums.index(max(sums)) if sums else 0

    def distance(live):
        return min(max(first - peak, peak - last, 0) for first, last in live)

    def steps(live):
        return sum(last - first + 1 for first, last in live)

    # The paper leaves open what comes first at one distance; the longest-lived and largest is what does best.
    return best_fit(buffers, sorted(range(len(buffers)), key=lambda b: (distance(buffers[b][1]), -steps(buffers[b][1]),
                                                                         -buffers[b][0])))
