"""A language model of random numbers, in the folder that is named: 256 tokens of a byte each and three special ones."""

import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]

folder = sys.argv[1]
letters = sorted(pre_tokenizers.ByteLevel.alphabet())
vocabulary = {letter: i for i, letter in enumerate(SPECIAL + letters)}
tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", bos_token="<|im_start|>")
fast.add_special_tokens({"additional_special_tokens": SPECIAL})
fast.chat_template = TEMPLATE
fast.save_pretrained(folder)

torch.manual_seed(1)
config = LlamaConfig(
    vocab_size=len(vocabulary),
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=2048,
    initializer_range=0.3,
    eos_token_id=2,
)
LlamaForCausalLM(config).save_pretrained(folder)
