/** Tries an OpenAI-compatible server with everything that a run may ask of it, instead of looking it up. */
import * as l10n from '@vscode/l10n';
import type { Message } from '../../../../shared/records/message.ts';
import { EndpointError } from '../../../../endpoints/endpointError.ts';
import { adapterCallsOf } from '../../../../endpoints/openai/adapters/adapterServer.ts';
import type { Ask } from '../../../../endpoints/openai/forms.ts';
import type { Answer } from '../../../../endpoints/openai/server.ts';
import { versionOf } from '../../../../endpoints/openai/version.ts';
import { answersByShape } from './answersByShape.ts';
import { broken, no, unknown, yes, type DoctorLine } from '../../../../endpoints/doctorLine.ts';
import type { ChatSubject } from './chatSubject.ts';
import { rareTokens } from './rareTokens.ts';
import { wholeDistribution } from './wholeDistribution.ts';

const asking = (messages: readonly Message[], over: Partial<Ask> = {}): Ask => ({
  ...{ messages, n: 1, seed: 3, maxTokens: 128, temperature: 0 },
  ...over,
});

export async function* examineChatServer(subject: ChatSubject): AsyncGenerator<DoctorLine> {
  yield await serverLine(subject);
  yield contextLine(subject);
  for (const [title, line] of [
    [l10n.t('Sampling parameters'), wholeDistribution],
    [l10n.t('Rare tokens'), rareTokens],
    [l10n.t('Field n'), severalLine],
    [l10n.t('Stop texts'), stopLine],
    [l10n.t('Tools'), toolsLine],
    [l10n.t('JSON by a schema'), answersByShape],
    [l10n.t('Reasoning'), reasoningLine],
    [l10n.t('Tokens and chat template'), templateLine],
  ] as const) {
    try {
      yield await line(subject);
    } catch (error) {
      subject.signal.throwIfAborted();
      yield broken(title, error);
    }
  }
  const uncounted = uncountedLine(subject);
  if (uncounted !== null) yield uncounted;
  const adapters = await adaptersLine(subject);
  if (adapters !== null) yield adapters;
}

async function serverLine({ facts: { kind, server }, connection, signal }: ChatSubject): Promise<DoctorLine> {
  const version = await versionOf(connection, kind, signal);
  const evidence = `${server.dialect.title}${version === null ? '' : ` ${version}`}.`;
  return kind === 'unknown'
    ? unknown(
        l10n.t('Server'),
        l10n.t('It is {0}', evidence),
        l10n.t('Few fields are sent beside those that all servers have.'),
      )
    : yes(l10n.t('Server'), evidence, l10n.t('It is sent the fields that it understands, and no others.'));
}

const contextLine = ({ facts: { context, server } }: ChatSubject): DoctorLine => {
  if (context === null) {
    return unknown(
      l10n.t('Context'),
      l10n.t('The server does not say how long a text may be.'),
      l10n.t('Prompt and answer that are too long together show as refused requests.'),
    );
  }
  const evidence = l10n.t('{0} tokens, prompt and answer together.', context);
  const meaning = l10n.t('Keep rollouts.maxTokens and generation.maxTokens well below.');
  return server.dialect.drops
    ? unknown(
        l10n.t('Context'),
        evidence,
        l10n.t('{0} What does not fit is left out without a word: name its tokenizer.', meaning),
      )
    : yes(l10n.t('Context'), evidence, meaning);
};

const severalLine = ({ facts: { server } }: ChatSubject): DoctorLine =>
  server.dialect.several
    ? yes(
        l10n.t('Field n'),
        l10n.t('Asked for 2, it gave 2.'),
        l10n.t('A group of attempts is one request, and its prompt is read once.'),
      )
    : unknown(
        l10n.t('Field n'),
        l10n.t('It is not asked for more than one.'),
        l10n.t('A group of attempts is as many requests.'),
      );

async function stopLine(subject: ChatSubject): Promise<DoctorLine> {
  const title = l10n.t('Stop texts');
  const whole = await once(subject, asking(subject.prompt));
  const stop = whole.text.trim().split(/\s+/)[1];
  if (stop === undefined)
    return unknown(title, l10n.t('It wrote a single word.'), l10n.t('Runs end turns by tokens and do not need it.'));
  const cut = await once(subject, asking(subject.prompt, { stop: [stop] }));
  const evidence = l10n.t('Told to stop at “{0}”, it wrote “{1}”.', stop, short(cut.text));
  if (cut.pastStop === undefined) return yes(title, evidence, l10n.t('The text ends before it.'));
  return cut.pastStop.trim() === stop
    ? yes(title, evidence, l10n.t('It leaves that text in; it is cut off here.'))
    : unknown(title, evidence, l10n.t('It passes over "stop": what follows is cut off here, and paid for.'));
}

const note = {
  name: 'note',
  description: 'Writes a number down.',
  parameters: { type: 'object', properties: { value: { type: 'integer' } }, required: ['value'] },
};

async function toolsLine(subject: ChatSubject): Promise<DoctorLine> {
  const { tools, server, tokensIn } = subject.facts;
  const title = l10n.t('Tools');
  const remedy = server.dialect.toolsWith?.() ?? l10n.t('Choose a server that takes tools.');
  const own = l10n.t('They are written into the prompt here, with the model’s own template.');
  if (tools === 'refused' || tools === 'ignored') {
    const evidence =
      tools === 'refused'
        ? l10n.t('It refuses a request with tools.')
        : l10n.t('A prompt with tools is no longer: it passes over them.');
    return tokensIn
      ? yes(title, evidence, own)
      : unknown(title, evidence, l10n.t('Tasks with tools need them. {0}', remedy));
  }
  const order: Message = { role: 'user', content: 'Call the tool note with the value 7.' };
  const { calls, text } = await once(subject, asking([order], { tools: [note] }));
  if (calls > 0)
    return yes(title, l10n.t('It called: {0}', short(text)), l10n.t('Calls are part of the attempt’s text.'));
  if (text.includes('<tool_call>')) {
    return yes(title, l10n.t('The call came as text: {0}', short(text)), l10n.t('It is read from there.'));
  }
  return unknown(
    title,
    l10n.t('It took a tool and wrote “{0}” instead of calling it.', short(text)),
    l10n.t('Look at the first traces of a run.'),
  );
}

async function reasoningLine(subject: ChatSubject): Promise<DoctorLine> {
  const { reasoning, text } = await once(subject, asking(subject.prompt));
  return reasoning === undefined
    ? unknown(
        l10n.t('Reasoning'),
        l10n.t('None came with “{0}”.', short(text)),
        l10n.t('A model that thinks has its thoughts kept apart.'),
      )
    : yes(
        l10n.t('Reasoning'),
        l10n.t('“{0}” came apart from “{1}”.', short(reasoning), short(text)),
        l10n.t('Only the answer is judged.'),
      );
}

async function templateLine(subject: ChatSubject): Promise<DoctorLine> {
  const { facts, tokens, prompt, example } = subject;
  const title = l10n.t('Tokens and chat template');
  if (tokens === null) {
    const meaning = l10n.t('What it makes of them is not seen here; name the model’s "tokenizer" to compare.');
    return unknown(title, l10n.t('The server renders conversations itself.'), meaning);
  }
  const talk = [...example, ...prompt.slice(-1)];
  const own = tokens.prompt(talk);
  const { promptTokens, promptCount } = await once(subject, asking(talk, { maxTokens: 16 }), facts.ids);
  const used = facts.tokensIn
    ? l10n.t('Prompts are sent as token ids, rendered here.')
    : l10n.t('The server renders conversations itself.');
  if (promptTokens.length === 0 && promptCount === null) {
    return unknown(title, l10n.t('{0} It does not count a prompt’s tokens.', used), l10n.t('It cannot be compared.'));
  }
  const same = promptTokens.length > 0 ? own.join() === promptTokens.join() : promptCount === own.length;
  const theirs = promptTokens.length > 0 ? promptTokens.length : promptCount;
  const counts = [used, own.length, theirs ?? 0] as const;
  const evidence = same
    ? l10n.t('{0} A conversation is {1} tokens here and {2} there, the same.', ...counts)
    : l10n.t('{0} A conversation is {1} tokens here and {2} there, and they differ.', ...counts);
  return same
    ? yes(title, evidence, l10n.t('Model and tokenizer belong together.'))
    : no(
        title,
        evidence,
        l10n.t('Tokenizer or template are not those that the server has: name the model’s own as "tokenizer".'),
      );
}

/** Null for servers that count tokens, or tell their ids. */
function uncountedLine({ facts: { counts, ids, tokensIn }, tokens }: ChatSubject): DoctorLine | null {
  if (counts || ids || tokensIn) return null;
  const evidence =
    tokens === null
      ? l10n.t('It does not say how many tokens it wrote: GenEnv estimates them from characters.')
      : l10n.t('It does not say how many tokens it wrote: GenEnv counts them with the tokenizer you named.');
  return no(l10n.t('Counts of tokens'), evidence, l10n.t('Budgets and costs are estimates.'));
}

/** Null for servers whose adapters are fixed. */
async function adaptersLine({ facts: { kind, server }, connection, signal }: ChatSubject): Promise<DoctorLine | null> {
  if (kind !== 'vllm' && kind !== 'sglang') return null;
  const title = l10n.t('LoRA adapters while it runs');
  try {
    const calls = await adapterCallsOf(connection, server.model, signal);
    const names = (await calls.loaded(signal)).map(({ name }) => name);
    const evidence = names.length === 0 ? l10n.t('None is loaded.') : l10n.t('Loaded: {0}.', names.join(', '));
    return kind === 'vllm'
      ? yes(title, l10n.t('It takes them. {0}', evidence), l10n.t('What a "verl" endpoint trains can be sampled here.'))
      : unknown(
          title,
          l10n.t('{0} Whether it takes more shows with the first.', evidence),
          l10n.t('Start SGLang with --enable-lora for it.'),
        );
  } catch (error) {
    if (!EndpointError.is(error, 'unable')) return broken(title, error);
    return unknown(
      title,
      l10n.t('It takes none.'),
      l10n.t('What a "verl" endpoint trains cannot be sampled here. {0}', error.remedy),
    );
  }
}

/** @throws EndpointError */
async function once({ facts, signal }: ChatSubject, asked: Ask, told = false): Promise<Answer> {
  const [answer] = await facts.server.chat(0, asked, told, signal);
  if (answer === undefined) throw new Error('Unreachable: an answer has a completion.');
  return answer;
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
};
