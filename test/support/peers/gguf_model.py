"""A folder of `byte_model.py` as a file of llama.cpp: `gguf_model.py FOLDER FILE`."""

import json
import pathlib
import sys

import gguf
from safetensors.numpy import load_file

folder, out = pathlib.Path(sys.argv[1]), sys.argv[2]
config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
weights = load_file(folder / "model.safetensors")
heads, pairs = config["num_attention_heads"], config["num_key_value_heads"]
width = config["hidden_size"] // heads


def turned(weight, count):
    """llama.cpp rotates neighbours, transformers halves."""
    return weight.reshape(count, 2, width // 2, -1).swapaxes(1, 2).reshape(weight.shape)


file = gguf.GGUFWriter(out, "llama")
file.add_context_length(config["max_position_embeddings"])
file.add_embedding_length(config["hidden_size"])
file.add_block_count(config["num_hidden_layers"])
file.add_feed_forward_length(config["intermediate_size"])
file.add_head_count(heads)
file.add_head_count_kv(pairs)
file.add_layer_norm_rms_eps(config["rms_norm_eps"])
file.add_rope_dimension_count(width)
file.add_vocab_size(config["vocab_size"])
vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
tokens = sorted(vocabulary, key=vocabulary.get)
special = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}
file.add_tokenizer_model("gpt2")
file.add_tokenizer_pre("gpt-2")
file.add_token_list(tokens)
file.add_token_types([gguf.TokenType.CONTROL if one in special else gguf.TokenType.NORMAL for one in tokens])
# It wants some; this one never applies.
file.add_token_merges(["<|im_start|> <|im_end|>"])
file.add_bos_token_id(tokens.index("<|im_start|>"))
file.add_eos_token_id(tokens.index("<|im_end|>"))
file.add_add_bos_token(False)
file.add_chat_template((folder / "chat_template.jinja").read_text(encoding="utf-8"))
names = {
    **{"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v"},
    **{"self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up"},
    **{"mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"},
}
file.add_tensor("token_embd.weight", weights["model.embed_tokens.weight"])
file.add_tensor("output_norm.weight", weights["model.norm.weight"])
file.add_tensor("output.weight", weights["lm_head.weight"])
for i in range(config["num_hidden_layers"]):
    for theirs, own in names.items():
        weight = weights[f"model.layers.{i}.{theirs}.weight"]
        if own in {"attn_q", "attn_k"}:
            weight = turned(weight, heads if own == "attn_q" else pairs)
        file.add_tensor(f"blk.{i}.{own}.weight", weight)
file.write_header_to_file()
file.write_kv_data_to_file()
file.write_tensors_to_file()
file.close()
