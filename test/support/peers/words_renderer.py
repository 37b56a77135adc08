"""tinker-cookbook's renderer for the served model, which knows words and no chat template."""

import tinker
from tinker_cookbook import model_info, renderers
from tinker_cookbook.renderers.base import ParseTermination, RenderedMessage, Renderer


class Words(Renderer):
    """The words of all messages that the model knows, one after the other."""

    @property
    def _bos_tokens(self):
        return []

    def get_stop_sequences(self):
        return [self.tokenizer.eos_token_id]

    def render_message(self, message, ctx):
        known = self.tokenizer.get_vocab()
        words = [known[word] for word in message["content"].split() if word in known]
        return RenderedMessage(output=[tinker.EncodedTextChunk(tokens=words)])

    def _get_generation_suffix(self, role, ctx):
        return []

    def parse_response(self, response):
        text = self.tokenizer.decode(response, skip_special_tokens=True)
        return {"role": "assistant", "content": text}, ParseTermination.STOP_SEQUENCE


def register():
    """Makes it the renderer that tinker-cookbook recommends for every model."""
    renderers.register_renderer("genenv/words", lambda tokenizer, images=None: Words(tokenizer))
    model_info.get_recommended_renderer_name = lambda name: "genenv/words"
