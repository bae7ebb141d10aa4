# SPDX-License-Identifier: Apache-2.0
"""What a user of dpctl does: devices, memory of all kinds, copies, queues, and kernels of her own from SPIR-V."""
import ctypes
import os
import sys

import dpctl
import dpctl.memory as memory
import dpctl.program
import numpy as np

EXPECTED = {
    "a770": dict(name="A770", fp64=False, sub_groups=[8, 16, 32], local=65536),
    "b580": dict(name="B580", fp64=True, sub_groups=[16, 32], local=131072),
}[os.environ["XEFORGE_DEVICE"]]
failures = 0


def expect(ok, what):
    global failures
    if not ok:
        failures += 1
        print("FAIL", what, flush=True)


def device_info(device):
    expect(device.is_gpu and not device.is_cpu, "is a GPU")
    expect(EXPECTED["name"] in device.name, device.name)
    expect("level_zero" in str(device.backend), "backend")
    expect(device.has_aspect_fp16 and device.has_aspect_fp64 == EXPECTED["fp64"], "aspects of floats")
    expect(list(device.sub_group_sizes) == EXPECTED["sub_groups"], f"sub-group sizes {device.sub_group_sizes}")
    expect(device.local_mem_size == EXPECTED["local"], f"local memory {device.local_mem_size}")
    expect(device.max_work_group_size == 1024, "largest group")
    expect(device.max_work_item_sizes3d == (1024, 1024, 1024), "largest group in each dimension")
    expect(device.global_mem_size > 10 * 2**30, "memory")
    expect(device.has_aspect_usm_shared_allocations and device.has_aspect_usm_host_allocations, "aspects of memory")
    expect(dpctl.SyclDevice(device.filter_string) == device, "the filter string leads to the device")
    expect(len(dpctl.get_devices(backend="level_zero")) == 1, "number of devices")
    device.print_device_info()
    for name in sorted(n for n in dir(device) if not n.startswith("_")):
        getattr(type(device), name)
        if not name.startswith(("create_", "can_access", "disable_", "enable_", "composite", "component", "addressof", "get_device_id", "print_", "has_aspect_emulated")):
            value = getattr(device, name)
            value() if callable(value) and name in ("get_filter_string",) else None


def usm(queue):
    data = np.random.default_rng(1).integers(0, 256, 10007, dtype=np.uint8)
    kinds = {"device": memory.MemoryUSMDevice, "shared": memory.MemoryUSMShared, "host": memory.MemoryUSMHost}
    blocks = {}
    for kind, make in kinds.items():
        block = blocks[kind] = make(len(data), queue=queue)
        expect(block.get_usm_type() == kind and block.nbytes == len(data), f"{kind} memory")
        block.copy_from_host(data)
        expect(np.array_equal(block.copy_to_host(), data), f"{kind} memory keeps what it is given")
        block.memset(7)
        expect(np.all(np.asarray(block.copy_to_host()) == 7), f"memset of {kind} memory")
    for kind in ("shared", "host"):
        np.asarray(blocks[kind])[:] = data
        expect(np.array_equal(np.asarray(blocks[kind]), data), f"{kind} memory seen from the host")
    for source in kinds:
        for target in kinds:
            blocks[source].copy_from_host(data[::-1].copy())
            blocks[target].copy_from_device(blocks[source])
            expect(np.array_equal(blocks[target].copy_to_host(), data[::-1]), f"copy from {source} to {target}")
    blocks["device"].copy_from_host(data)
    blocks["host"].memset(0)
    event = queue.memcpy_async(blocks["shared"], blocks["device"], len(data))
    queue.memcpy_async(blocks["host"], blocks["shared"], 5000, [event]).wait()
    expect(np.array_equal(np.asarray(blocks["host"])[:5000], data[:5000]), "copies that wait for one another")
    expect(np.all(np.asarray(blocks["host"])[5000:] == 0), "nothing more is copied")
    queue.prefetch(blocks["shared"], 4096)
    queue.mem_advise(blocks["shared"], 4096, 0)
    queue.submit_barrier().wait()


def own_kernels(queue, spirv):
    program = dpctl.program.create_program_from_spirv(queue, spirv)
    for name in ("axpy", "group_sums", "grid"):
        expect(program.has_sycl_kernel(name), f"the program has {name}")
    axpy = program.get_sycl_kernel("axpy")
    expect(axpy.num_args == 3 and axpy.work_group_size > 0, "a kernel's properties")
    count = 4096
    rng = np.random.default_rng(2)
    x, y = (rng.integers(-1000, 1000, count).astype(np.float32) for _ in range(2))
    shared_x, shared_y = (memory.MemoryUSMShared(4 * count, queue=queue) for _ in range(2))
    np.asarray(shared_x).view(np.float32)[:] = x
    np.asarray(shared_y).view(np.float32)[:] = y
    queue.submit(axpy, [shared_y, shared_x, ctypes.c_float(3)], [count], [64]).wait()
    expect(np.array_equal(np.asarray(shared_y).view(np.float32), 3 * x + y), "axpy")
    # A dependency between two launches, and a range without a group size.
    first = queue.submit_async(axpy, [shared_y, shared_x, ctypes.c_float(-3)], [count])
    queue.submit_async(axpy, [shared_y, shared_x, ctypes.c_float(0.5)], [count], None, [first]).wait()
    expect(np.array_equal(np.asarray(shared_y).view(np.float32), 0.5 * x + y), "two launches in order")
    out = memory.MemoryUSMShared(4 * 33 * 21, queue=queue)
    queue.submit(program.get_sycl_kernel("grid"), [out], [33, 21], [33, 3]).wait()
    expect(len(np.unique(np.asarray(out).view(np.int32))) == 33 * 21, "two dimensions")


def group_sums(queue, spirv):
    kernel = dpctl.program.create_program_from_spirv(queue, spirv).get_sycl_kernel("group_sums")
    values = np.arange(640, dtype=np.int32)
    source, sums = memory.MemoryUSMShared(4 * 640, queue=queue), memory.MemoryUSMShared(4 * 10, queue=queue)
    np.asarray(source).view(np.int32)[:] = values
    queue.submit(kernel, [sums, source, dpctl.LocalAccessor("i4", (64,))], [640], [64]).wait()
    expect(np.array_equal(np.asarray(sums).view(np.int32), values.reshape(10, 64).sum(axis=1)), "sums in local memory")


def main():
    device = dpctl.select_default_device()
    device_info(device)
    with open(sys.argv[1], "rb") as file:
        spirv = file.read()
    for properties in ("in_order", None, "enable_profiling"):
        queue = dpctl.SyclQueue(device, property=properties) if properties else dpctl.SyclQueue(device)
        usm(queue)
        own_kernels(queue, spirv)
        if hasattr(dpctl, "LocalAccessor"):
            group_sums(queue, spirv)
    timer = dpctl.SyclTimer(time_scale=1e6)
    queue = dpctl.SyclQueue(device, property="enable_profiling")
    with timer(queue):
        memory.MemoryUSMDevice(1 << 20, queue=queue).memset(1)
    expect(timer.dt.host_dt > 0 and timer.dt.device_dt >= 0, "a timer")
    print(f"dpctl {dpctl.__version__}: {failures} failures")
    return 1 if failures else 0


sys.exit(main())
