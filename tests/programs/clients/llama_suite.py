# SPDX-License-Identifier: Apache-2.0
"""llama.cpp's SYCL back end (wheel cyllama-sycl) with a tiny random model: logits of the GPU against those of the CPU."""
import os
import pathlib
import sys
import tempfile

import gguf
import numpy as np

from checks import check, finish

VOCABULARY, WIDTH, HEADS, GROUPS, INNER, LAYERS, CONTEXT = 288, 256, 8, 4, 512, 2, 64
TOKENS = [1, 5, 17, 200, 42, 7, 130, 99, 3, 250, 64, 12]


def write_model(path, kind, exact=False):
    """A model of llama's architecture with random weights of the given type; `exact`: with the same values as floats."""
    random = np.random.default_rng(5)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(VOCABULARY)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([f"<{i}>".encode() for i in range(VOCABULARY)])
    writer.add_token_scores([0.0] * VOCABULARY)
    writer.add_token_types([gguf.TokenType.NORMAL] * VOCABULARY)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)

    def weights(name, rows, columns):
        values = (random.standard_normal((rows, columns)) / np.sqrt(columns)).astype(np.float32)
        data = gguf.quants.quantize(values, kind)
        if exact:
            writer.add_tensor(name, gguf.quants.dequantize(data, kind))
        else:
            writer.add_tensor(name, data, raw_dtype=kind)

    def norm(name):
        writer.add_tensor(name, random.uniform(0.5, 1.5, WIDTH).astype(np.float32))

    weights("token_embd.weight", VOCABULARY, WIDTH)
    weights("output.weight", VOCABULARY, WIDTH)
    norm("output_norm.weight")
    narrow = WIDTH * GROUPS // HEADS
    for layer in range(LAYERS):
        prefix = f"blk.{layer}."
        norm(prefix + "attn_norm.weight")
        norm(prefix + "ffn_norm.weight")
        for name, rows, columns in (("attn_q", WIDTH, WIDTH), ("attn_k", narrow, WIDTH), ("attn_v", narrow, WIDTH),
                                    ("attn_output", WIDTH, WIDTH), ("ffn_gate", INNER, WIDTH), ("ffn_up", INNER, WIDTH),
                                    ("ffn_down", WIDTH, INNER)):
            weights(f"{prefix}{name}.weight", rows, columns)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def logits(path, gpu_layers):
    import cyllama.llama.llama_cpp as llama  # after the model: it starts the device

    if not os.environ.get("LLAMA_LOG"):
        llama.disable_logging()
    llama.ggml_backend_load_all()
    llama.llama_backend_init()
    model_options = llama.LlamaModelParams()
    model_options.n_gpu_layers = gpu_layers

    class Model(llama.LlamaModel):
        """The wheel's own logits need this attribute and do not have it."""
        n_vocab = VOCABULARY

    model = Model(str(path), model_options)
    options = llama.LlamaContextParams()
    options.n_ctx = CONTEXT
    options.n_batch = CONTEXT
    context = llama.LlamaContext(model, options)
    rows = []
    # A prompt as one batch, then token by token: matrix products, then products with a vector.
    for first, last in ((0, 8), (8, 9), (9, 10), (10, 11), (11, 12)):
        context.decode(llama.llama_batch_get_one(TOKENS[first:last], first))
        rows.append(np.array(context.get_logits_ith(-1), dtype=np.float32))
    return np.stack(rows)


def agree(kind):
    """Both back ends round activations to the model's type or to eight bits, each in its own way: the GPU may be as far from
    what floats give as the CPU is, three times over."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.gguf"
        write_model(path, kind, exact=True)
        reference = logits(path, 0)
        write_model(path, kind)
        cpu, gpu = logits(path, 0), logits(path, 99)
    scale = np.abs(reference).max()
    of_cpu, of_gpu = np.abs(cpu - reference).max() / scale, np.abs(gpu - reference).max() / scale
    print(f"       difference from floats: CPU {of_cpu:.1e}, GPU {of_gpu:.1e} of the largest logit", flush=True)
    return np.isfinite(gpu).all() and of_gpu < 3 * of_cpu + 2e-3


kinds = sys.argv[1:] or ["F32", "F16", "Q8_0", "Q4_0"]
for name in kinds:
    check(f"llama {name}", lambda: agree(gguf.GGMLQuantizationType[name]))
finish()
