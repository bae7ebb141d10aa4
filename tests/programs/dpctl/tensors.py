# SPDX-License-Identifier: Apache-2.0
"""The kernels inside dpctl's tensors, against numpy."""
import itertools
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
import dpctl
import dpctl.tensor as dpt
import numpy as np

failures = checks = 0


def expect(got, want, what, rtol=0.0, atol=0.0):
    global failures, checks
    checks += 1
    got = dpt.asnumpy(got) if isinstance(got, dpt.usm_ndarray) else np.asarray(got)
    want = np.asarray(want)
    same = got.shape == want.shape and (
        np.array_equal(got, want, equal_nan=got.dtype.kind == "f") if rtol == atol == 0 else np.allclose(got, want, rtol=rtol, atol=atol, equal_nan=True))
    if not same:
        failures += 1
        wrong = np.flatnonzero(got.ravel() != want.astype(got.dtype).ravel())[:3] if got.shape == want.shape else []
        print(f"FAIL {what}: {got.shape} {got.dtype}", [(int(i), got.ravel()[i], want.ravel()[i]) for i in wrong], flush=True)


device = dpctl.select_default_device()
DOUBLES = device.has_aspect_fp64
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
FLOATS = ["f2", "f4"] + (["f8"] if DOUBLES else [])
EPSILON = {"f2": 2e-3, "f4": 2e-6, "f8": 1e-14}
rng = np.random.default_rng(3)


def tensor(values):
    return dpt.asarray(values, device=device)


def values_of(kind, shape=(1237,)):
    if kind[0] == "f":
        return (rng.integers(-400, 400, shape) / 16).astype(kind)
    limits = np.iinfo(kind)
    return rng.integers(max(limits.min, -1000), min(limits.max, 1000), shape, dtype=kind, endpoint=True)


def creation():
    for kind in INTEGERS + FLOATS:
        expect(dpt.arange(1, 100, 3, dtype=kind, device=device), np.arange(1, 100, 3, dtype=kind), f"arange {kind}")
        expect(dpt.full((3, 5, 7), 9, dtype=kind, device=device), np.full((3, 5, 7), 9, dtype=kind), f"full {kind}")
        expect(dpt.eye(13, 9, k=-2, dtype=kind, device=device), np.eye(13, 9, k=-2, dtype=kind), f"eye {kind}")
        expect(dpt.ones(1001, dtype=kind, device=device), np.ones(1001, dtype=kind), f"ones {kind}")
    for kind in FLOATS:
        expect(dpt.linspace(-2, 5, 97, dtype=kind, device=device), np.linspace(-2, 5, 97, dtype=kind), f"linspace {kind}", rtol=EPSILON[kind], atol=EPSILON[kind])
    expect(dpt.tril(tensor(np.ones((9, 7), "f4")), k=1), np.tril(np.ones((9, 7), "f4"), k=1), "tril")
    expect(dpt.meshgrid(tensor(np.arange(3)), tensor(np.arange(4)))[0], np.meshgrid(np.arange(3), np.arange(4))[0], "meshgrid")


def casts():
    for source, target in itertools.product(INTEGERS + FLOATS, INTEGERS + FLOATS):
        values = np.abs(values_of(source)) % 100
        expect(dpt.astype(tensor(values), target), values.astype(target), f"cast {source} to {target}")
    strided = values_of("i4", (40, 30))
    expect(dpt.copy(tensor(strided)[::-3, 2::5]), strided[::-3, 2::5], "copy of a strided view")
    expect(dpt.permute_dims(tensor(values_of("f4", (1,)) * np.ones((5, 6, 7), "f4")), (2, 0, 1)) * 0, np.zeros((7, 5, 6), "f4"), "permuted axes")


def elementwise():
    for kind in INTEGERS + FLOATS:
        a, b = values_of(kind), values_of(kind)
        x, y = tensor(a), tensor(b)
        with np.errstate(all="ignore"):
            for name in ("add", "subtract", "multiply", "maximum", "minimum", "equal", "less", "greater_equal", "not_equal"):
                expect(getattr(dpt, name)(x, y), getattr(np, name)(a, b), f"{name} {kind}")
            b[b == 0] = 1
            y = tensor(b)
            expect(dpt.floor_divide(x, y), np.floor_divide(a, b), f"floor_divide {kind}", rtol=EPSILON.get(kind, 0))
            expect(dpt.remainder(x, y), np.remainder(a, b), f"remainder {kind}", atol=16 * EPSILON.get(kind, 0))
            expect(dpt.abs(x), np.abs(a), f"abs {kind}")
            expect(dpt.square(x), np.square(a), f"square {kind}")
        expect(dpt.where(dpt.less(x, y), x, y), np.where(a < b, a, b), f"where {kind}")
        expect(dpt.clip(x, 3, 50), np.clip(a, 3, 50), f"clip {kind}")
    for kind in INTEGERS:
        a, b = values_of(kind), values_of(kind)
        for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
            expect(getattr(dpt, name)(tensor(a), tensor(b)), getattr(np, name)(a, b), f"{name} {kind}")
        shift = (np.abs(b) % 7).astype(kind)
        expect(dpt.bitwise_left_shift(tensor(a), tensor(shift)), np.left_shift(a, shift), f"left shift {kind}")
        expect(dpt.bitwise_right_shift(tensor(a), tensor(shift)), np.right_shift(a, shift), f"right shift {kind}")
    for kind in FLOATS:
        a = values_of(kind)
        positive = np.abs(a) + np.asarray(0.0625, kind)
        unit = (a / 26).astype(kind)
        rtol = EPSILON[kind] * 4
        wide = np.float32 if kind == "f2" else np.dtype(kind).type
        cases = [("sin", a), ("cos", a), ("tan", unit), ("exp", unit), ("expm1", unit), ("exp2", unit), ("tanh", a), ("sinh", unit), ("cosh", unit), ("asin", unit), ("acos", unit),
                 ("atan", a), ("asinh", a), ("log", positive), ("log2", positive), ("log10", positive), ("log1p", positive), ("sqrt", positive), ("rsqrt", positive), ("cbrt", a),
                 ("reciprocal", positive), ("floor", a), ("ceil", a), ("trunc", a), ("round", a), ("sign", a), ("isfinite", a), ("signbit", a)]
        for name, argument in cases:
            function = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh"}.get(name, name)
            wanted = 1 / np.sqrt(argument.astype(wide)) if name == "rsqrt" else getattr(np, function)(argument.astype(wide))
            expect(getattr(dpt, name)(tensor(argument)), wanted, f"{name} {kind}", rtol=rtol, atol=rtol)
        b = values_of(kind) / 8
        b[b == 0] = 1
        expect(dpt.divide(tensor(a), tensor(b)), a / b, f"divide {kind}", rtol=rtol)
        expect(dpt.pow(tensor(positive), tensor(unit)), positive.astype(wide) ** unit.astype(wide), f"pow {kind}", rtol=rtol)
        expect(dpt.hypot(tensor(a), tensor(b)), np.hypot(a.astype(wide), b.astype(wide)), f"hypot {kind}", rtol=rtol)
        expect(dpt.atan2(tensor(a), tensor(b)), np.arctan2(a.astype(wide), b.astype(wide)), f"atan2 {kind}", rtol=rtol)
    complex_values = (values_of("f4") + 1j * values_of("f4")).astype("c8")
    expect(dpt.multiply(tensor(complex_values), tensor(complex_values)), complex_values * complex_values, "multiply c8", rtol=1e-5, atol=1e-3)
    expect(dpt.abs(tensor(complex_values)), np.abs(complex_values), "abs c8", rtol=1e-5)
    expect(dpt.conj(tensor(complex_values)), np.conj(complex_values), "conj c8")
    rows, column = values_of("i4", (33, 17)), values_of("i4", (33, 1))
    expect(dpt.add(tensor(rows), tensor(column)), rows + column, "broadcast")


def reductions():
    for kind in ("i1", "i4", "u4", "i8", "f2", "f4"):
        a = np.abs(values_of(kind, (37, 53))) % 8 if kind == "f2" else values_of(kind, (37, 53))
        a = a.astype(kind)
        x = tensor(a)
        for axis in (None, 0, 1):
            wide = np.int64 if kind[0] in "iu" else np.float64
            expect(dpt.sum(x, axis=axis), a.astype(wide).sum(axis=axis), f"sum {kind} {axis}", rtol=EPSILON.get(kind, 0) * 8, atol=EPSILON.get(kind, 0) * 64)
            expect(dpt.max(x, axis=axis), a.max(axis=axis), f"max {kind} {axis}")
            expect(dpt.min(x, axis=axis), a.min(axis=axis), f"min {kind} {axis}")
            expect(dpt.argmax(x, axis=axis), a.argmax(axis=axis), f"argmax {kind} {axis}")
            expect(dpt.any(x, axis=axis), a.any(axis=axis), f"any {kind} {axis}")
            expect(dpt.all(x, axis=axis), a.all(axis=axis), f"all {kind} {axis}")
            expect(dpt.count_nonzero(x, axis=axis), np.count_nonzero(a, axis=axis), f"count_nonzero {kind} {axis}")
    big = values_of("i4", (100003,))
    expect(dpt.sum(tensor(big)), big.astype(np.int64).sum(), "a long sum")
    expect(dpt.mean(tensor(big.astype("f4"))), big.mean(), "mean", rtol=1e-4)
    expect(dpt.prod(tensor(np.array([1, 2, 3, 4, 5] * 3, "i8"))), 120**3, "prod")
    expect(dpt.logsumexp(tensor(np.linspace(0, 3, 500, dtype="f4"))), np.log(np.exp(np.linspace(0, 3, 500)).sum()), "logsumexp", rtol=1e-5)
    expect(dpt.diff(tensor(big[:1000])), np.diff(big[:1000]), "diff")


def scans_and_sorts():
    for kind in ("i4", "i8", "u2", "f4"):
        a = values_of(kind, (3001,))
        x = tensor(a)
        if kind != "f4":
            expect(dpt.cumulative_sum(x), np.cumsum(a.astype(np.int64)), f"cumulative_sum {kind}")
        expect(dpt.sort(x), np.sort(a), f"sort {kind}")
        expect(dpt.sort(x, descending=True), np.sort(a)[::-1], f"sort downwards {kind}")
        expect(dpt.argsort(x, kind="stable"), np.argsort(a, kind="stable"), f"argsort {kind}")
        if kind != "f4":
            expect(dpt.sort(x, kind="radixsort"), np.sort(a), f"radix sort {kind}")
        expect(dpt.unique_values(x), np.unique(a), f"unique {kind}")
        expect(dpt.searchsorted(dpt.sort(x), x[:100]), np.searchsorted(np.sort(a), a[:100]), f"searchsorted {kind}")
    matrix = values_of("i4", (29, 65))
    expect(dpt.sort(tensor(matrix), axis=0), np.sort(matrix, axis=0), "sort of columns")
    expect(dpt.top_k(tensor(matrix), 5, axis=1).values, -np.sort(-matrix, axis=1)[:, :5], "top_k")


def indexing():
    a = values_of("i4", (501,))
    x = tensor(a)
    expect(x[tensor(a > 100)], a[a > 100], "mask")
    expect(dpt.nonzero(x)[0], np.nonzero(a)[0], "nonzero")
    where = rng.integers(0, 501, 77)
    expect(dpt.take(x, tensor(where)), np.take(a, where), "take")
    y = dpt.copy(x)
    y[tensor(a < 0)] = 5
    expect(y, np.where(a < 0, 5, a), "assignment under a mask")
    b = values_of("i4", (501,))
    expect(dpt.concat((x, tensor(b))), np.concatenate((a, b)), "concat")
    expect(dpt.roll(x, 37), np.roll(a, 37), "roll")
    expect(dpt.flip(x), a[::-1], "flip")
    expect(dpt.repeat(x, 3), np.repeat(a, 3), "repeat")
    expect(dpt.tile(tensor(a[:10]), (3, 2)), np.tile(a[:10], (3, 2)), "tile")
    expect(dpt.stack((x, tensor(b)), axis=1), np.stack((a, b), axis=1), "stack")


def linear_algebra():
    for kind in ("i4", "i8", "f2", "f4") + (("f8",) if DOUBLES else ()):
        for m, n, k in ((1, 1, 1), (5, 7, 3), (33, 65, 17), (128, 64, 96)):
            a, b = (rng.integers(-4, 5, shape).astype(kind) for shape in ((m, k), (k, n)))
            wide = np.int64 if kind[0] == "i" else np.float64
            # Small integers: exact whatever the order.
            expect(dpt.matmul(tensor(a), tensor(b)), a.astype(wide) @ b.astype(wide), f"matmul {kind} {m}x{n}x{k}")
    a, b = rng.integers(-4, 5, (6, 20, 30)).astype("f4"), rng.integers(-4, 5, (6, 30, 10)).astype("f4")
    expect(dpt.matmul(tensor(a), tensor(b)), a @ b, "matmul of a batch")
    expect(dpt.tensordot(tensor(a), tensor(b), axes=([0, 2], [0, 1])), np.tensordot(a, b, axes=([0, 2], [0, 1])), "tensordot")
    expect(dpt.vecdot(tensor(a[0]), tensor(a[1])), (a[0] * a[1]).sum(axis=1), "vecdot")


for part in (creation, casts, elementwise, reductions, scans_and_sorts, indexing, linear_algebra):
    before = failures, checks
    try:
        part()
    except Exception as error:  # what follows is still of interest
        failures += 1
        print(f"FAIL {part.__name__}: {type(error).__name__}: {error}", flush=True)
    print(f"{part.__name__}: {checks - before[1]} checks, {failures - before[0]} failures", flush=True)
print(f"dpctl {dpctl.__version__}: {checks} checks, {failures} failures")
sys.exit(1 if failures or checks < 500 else 0)
