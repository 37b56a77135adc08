"""A random model of a few thousand weights with a tokenizer of words, as a folder that transformers loads: `tiny_model.py FOLDER`."""

import json
import pathlib
import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

WORDS = ["<end>", "<unknown>", "<user>", "<assistant>", "<system>"] + [f"w{i}" for i in range(123)]
TEMPLATE = (
    "{% for message in messages %}{{ '<' + message.role + '> ' + message.content + ' <end> ' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant> ' }}{% endif %}"
)


def main(folder):
    core = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unknown>"))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<end>", pad_token="<end>", unk_token="<unknown>")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(7)
    config = Qwen3Config(
        **{"vocab_size": len(WORDS), "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "head_dim": 16},
        **{"num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 512, "eos_token_id": 0},
        **{"pad_token_id": 0, "bos_token_id": None, "tie_word_embeddings": False, "initializer_range": 0.5},
    )
    Qwen3ForCausalLM(config).save_pretrained(folder)


main(sys.argv[1])
