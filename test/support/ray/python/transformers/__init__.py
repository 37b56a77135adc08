"""A stand-in for the tokenizer of the embedded models: a token a word."""


class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, _model):
        return cls()

    def apply_chat_template(self, messages, add_generation_prompt=False, tokenize=True):
        assert add_generation_prompt and not tokenize
        return " ".join(message["content"] for message in messages)

    def encode(self, text, add_special_tokens=True):
        return text.split()
