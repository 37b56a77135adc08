/** Thread of a model's tokens: its tokenizer and template come from elsewhere, and may take any time for a text. */
import { serve } from '../../sandbox/serve.ts';
import { ChatTokens } from './chatTokens.ts';
import { jobSchema, type TokensAnswer } from './protocol.ts';
import { readTokenizer } from './tokenizerFiles.ts';
import { TokensError } from './tokensError.ts';

let opened: ChatTokens | null = null;

serve(async (raw): Promise<TokensAnswer> => {
  const job = jobSchema.parse(raw);
  try {
    if (job.type === 'open') {
      const { source, cache } = job;
      opened = new ChatTokens(await readTokenizer(source, cache, () => Promise.resolve(null)));
      return { type: 'opened', stop: [...opened.stop] };
    }
    if (opened === null) throw new Error('There is no tokenizer yet.');
    if (job.type === 'prompt') return { type: 'tokens', tokens: opened.prompt(job.messages, job.tools) };
    if (job.type === 'render') return { type: 'rendered', ...opened.render(job.messages, job.tools) };
    if (job.type === 'words') {
      const tokens = opened;
      return { type: 'texts', texts: job.ids.map((id) => tokens.decode([id])) };
    }
    return { type: 'text', text: opened.decode(job.ids) };
  } catch (error) {
    if (!TokensError.is(error)) throw error;
    const { reason, message, remedy } = error;
    return { type: 'refused', reason, message, remedy };
  }
});
