"""transformers' own word: probabilities of each answer's first token, by its text: `first_tokens.py MODEL TEXT`."""

import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

folder, text = sys.argv[1:]
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
said = [{"role": "user", "content": text}]
ids = tokenizer.apply_chat_template(said, add_generation_prompt=True, return_tensors="pt", return_dict=True)["input_ids"]
with torch.no_grad():
    chances = model(ids).logits[0, -1].softmax(-1)
told = {"prompt": ids.shape[-1], "chances": {}}
for i, chance in enumerate(chances.tolist()):
    word = tokenizer.decode([i])
    if word.isascii() and word not in tokenizer.all_special_tokens:
        told["chances"][word] = chance
print(json.dumps(told))
