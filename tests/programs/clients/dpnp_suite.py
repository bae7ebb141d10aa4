# SPDX-License-Identifier: Apache-2.0
"""dpnp on the device that SYCL finds, compared with NumPy. Inputs are small integers where sums must be exact; functions
of floats are compared within a few units in the last place."""
import dpnp
import numpy as np

from checks import check, finish

random = np.random.default_rng(7)
integers = random.integers(-3, 4, (48, 33)).astype(np.float32)
reals = random.uniform(0.1, 4.0, (48, 33)).astype(np.float32)


def same(ours, expected):
    ours = dpnp.asnumpy(ours)
    return ours.shape == np.shape(expected) and ours.dtype == np.asarray(expected).dtype and np.array_equal(ours, expected)


def close(ours, expected, tolerance=2e-6):
    ours = dpnp.asnumpy(ours)
    return ours.shape == np.shape(expected) and np.allclose(ours, expected, rtol=tolerance, atol=tolerance)


def agree(name, function, *arguments, compare=same, **options):
    """The same function of both libraries on the same arrays."""
    check(name, lambda: compare(function(dpnp)(*[dpnp.asarray(a) for a in arguments], **options),
                                function(np)(*arguments, **options)))


print(dpnp.asarray(integers).sycl_device.name)

# Creation.
for dtype in (np.int8, np.uint16, np.int32, np.int64, np.float16, np.float32):
    check(f"zeros {dtype.__name__}", lambda: same(dpnp.zeros((5, 7), dtype=dtype), np.zeros((5, 7), dtype)))
    check(f"full {dtype.__name__}", lambda: same(dpnp.full(1001, 3, dtype=dtype), np.full(1001, 3, dtype)))
check("arange", lambda: same(dpnp.arange(3, 1000, 7, dtype=np.int32), np.arange(3, 1000, 7, dtype=np.int32)))
check("linspace", lambda: close(dpnp.linspace(0, 1, 57, dtype=np.float32), np.linspace(0, 1, 57, dtype=np.float32)))
check("eye", lambda: same(dpnp.eye(17, 19, 2, dtype=np.float32), np.eye(17, 19, 2, dtype=np.float32)))
check("tri", lambda: same(dpnp.tril(dpnp.asarray(integers)), np.tril(integers)))
check("copies through strides", lambda: same(dpnp.asarray(integers)[::3, 1::2].copy(), integers[::3, 1::2]))

# Arithmetic and functions.
for name in ("add", "subtract", "multiply", "maximum", "minimum", "equal", "less"):
    agree(name, lambda library: getattr(library, name), integers, integers[::-1].copy())
for name in ("sqrt", "exp", "log", "sin", "cos", "tanh", "square", "reciprocal"):
    agree(name, lambda library: getattr(library, name), reals, compare=close)
for name in ("bitwise_and", "left_shift", "floor_divide", "remainder"):
    agree(f"{name} int32", lambda library: getattr(library, name), np.arange(1000, dtype=np.int32),
          np.arange(1000, dtype=np.int32) % 7 + 1)
agree("divide", lambda library: library.divide, reals, reals[::-1].copy(), compare=close)
agree("power", lambda library: library.power, reals, reals[::-1].copy(), compare=lambda a, b: close(a, b, 1e-5))
agree("int64 product", lambda library: library.multiply, np.arange(1000, dtype=np.int64) << 20,
      np.arange(1000, dtype=np.int64) + 1)
agree("half sum", lambda library: library.add, integers.astype(np.float16), integers[::-1].astype(np.float16))
agree("broadcast", lambda library: library.add, integers, integers[0])
agree("where", lambda library: lambda a, b: library.where(a > 0, a, b), integers, reals)
agree("type conversion", lambda library: lambda a: a.astype(np.int16), integers)
agree("clip", lambda library: lambda a: library.clip(a, -1, 2), integers)

# Reductions.
for axis in (None, 0, 1):
    for name in ("sum", "max", "min", "argmax", "prod", "any", "count_nonzero"):
        data = integers if name != "prod" else np.sign(integers) + (integers == 0)
        agree(f"{name} axis={axis}", lambda library: lambda a: getattr(library, name)(a, axis=axis), data)
    agree(f"mean axis={axis}", lambda library: lambda a: library.mean(a, axis=axis), reals, compare=close)
    agree(f"std axis={axis}", lambda library: lambda a: library.std(a, axis=axis), reals,
          compare=lambda a, b: close(a, b, 1e-5))
agree("cumsum", lambda library: library.cumsum, np.arange(5000, dtype=np.int32) % 13 - 6)
agree("long sum", lambda library: library.sum, np.arange(100_003, dtype=np.int32) % 11)

# Products.
left, right = (random.integers(-3, 4, shape).astype(np.float32) for shape in ((70, 90), (90, 50)))
for dtype in (np.float32, np.float16, np.int32):
    agree(f"matmul {dtype.__name__}", lambda library: library.matmul, left.astype(dtype), right.astype(dtype))
agree("matmul of transposes", lambda library: lambda a, b: library.matmul(a.T, b.T), left, right.reshape(50, 90)[:, :70].copy())
agree("batched matmul", lambda library: library.matmul, random.integers(-3, 4, (5, 20, 30)).astype(np.float32),
      random.integers(-3, 4, (5, 30, 10)).astype(np.float32))
agree("matmul by a vector", lambda library: library.matmul, left, right[:, 0].copy())
agree("dot", lambda library: library.dot, left[0].copy(), right[:, 0].copy())
agree("outer", lambda library: library.outer, left[0].copy(), right[0].copy())
agree("einsum", lambda library: lambda a, b: library.einsum("ij,jk->ik", a, b), left, right)

# Sorting and searching.
for dtype in (np.float32, np.int32, np.uint8, np.int64):
    values = random.integers(0, 200, 3001).astype(dtype)
    agree(f"sort {dtype.__name__}", lambda library: library.sort, values)
agree("sort of rows", lambda library: lambda a: library.sort(a, axis=-1), reals)
agree("stable argsort", lambda library: lambda a: library.argsort(a, kind="stable"), integers[0].copy())
agree("unique", lambda library: library.unique, integers)
agree("nonzero", lambda library: lambda a: library.nonzero(a)[0], integers)
agree("searchsorted", lambda library: library.searchsorted, np.arange(0, 1000, 3, dtype=np.int32),
      np.arange(0, 900, 7, dtype=np.int32))
agree("take", lambda library: lambda a: library.take(a, library.asarray([3, 1, 2]), axis=0), integers)
agree("concatenation", lambda library: lambda a, b: library.concatenate((a, b)), integers, reals)

# Random numbers: not NumPy's, but of the right kind, and the same for the same seed.
def numbers(kind):
    dpnp.random.seed(1234)
    return dpnp.asnumpy(kind())


def reasonable(kind, mean, deviation):
    first, second = numbers(kind), numbers(kind)
    return (np.array_equal(first, second) and len(np.unique(first)) > len(first) // 2 and
            abs(first.mean() - mean) < 0.05 and abs(first.std() - deviation) < 0.05)


check("uniform", lambda: reasonable(lambda: dpnp.random.uniform(0, 1, 4000), 0.5, 12 ** -0.5))
check("normal", lambda: reasonable(lambda: dpnp.random.normal(0, 1, 4000), 0, 1))
check("randint", lambda: set(numbers(lambda: dpnp.random.randint(0, 10, 1000))) == set(range(10)))

# Linear algebra and Fourier transforms, which are oneMKL's.
matrix = random.integers(-3, 4, (12, 12)).astype(np.float32) + 12 * np.eye(12, dtype=np.float32)
agree("solve", lambda library: library.linalg.solve, matrix, left[:12, 0].copy(), compare=lambda a, b: close(a, b, 1e-4))
agree("inverse", lambda library: library.linalg.inv, matrix, compare=lambda a, b: close(a, b, 1e-4))
agree("cholesky", lambda library: library.linalg.cholesky, matrix @ matrix.T, compare=lambda a, b: close(a, b, 1e-4))
for length in (64, 60, 97):
    signal = random.uniform(-1, 1, length).astype(np.float32)
    agree(f"fft of {length}", lambda library: library.fft.fft, signal.astype(np.complex64),
          compare=lambda a, b: close(a, b, 1e-4))
agree("inverse fft", lambda library: lambda a: library.fft.ifft(library.fft.fft(a)), reals[:, 0].astype(np.complex64),
      compare=lambda a, b: close(a, b, 1e-4))
agree("fft in two dimensions", lambda library: library.fft.fft2, reals.astype(np.complex64),
      compare=lambda a, b: close(a, b, 1e-3))
agree("real fft", lambda library: library.fft.rfft, reals[:, 0].copy(), compare=lambda a, b: close(a, b, 1e-4))

finish()
