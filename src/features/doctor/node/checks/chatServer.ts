/** Tries an OpenAI-compatible server with everything that a run may ask of it, instead of looking it up. */
import type { Message } from '../../../../shared/records/message.ts';
import { EndpointError } from '../../../../endpoints/endpointError.ts';
import { adapterCallsOf } from '../../../../endpoints/openai/adapterServer.ts';
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
    ['Sampling parameters', wholeDistribution],
    ['Rare tokens', rareTokens],
    ['Field n', severalLine],
    ['Stop texts', stopLine],
    ['Tools', toolsLine],
    ['JSON by a schema', answersByShape],
    ['Reasoning', reasoningLine],
    ['Tokens and chat template', templateLine],
  ] as const) {
    try {
      yield await line(subject);
    } catch (error) {
      subject.signal.throwIfAborted();
      yield broken(title, error);
    }
  }
  const adapters = await adaptersLine(subject);
  if (adapters !== null) yield adapters;
}

async function serverLine({ facts: { kind, server }, connection, signal }: ChatSubject): Promise<DoctorLine> {
  const version = await versionOf(connection, kind, signal);
  const evidence = `${server.dialect.title}${version === null ? '' : ` ${version}`}.`;
  return kind === 'unknown'
    ? unknown('Server', `It is ${evidence}`, 'Few fields are sent beside those that all servers have.')
    : yes('Server', evidence, 'It is sent the fields that it understands, and no others.');
}

const contextLine = ({ facts: { context, server } }: ChatSubject): DoctorLine => {
  if (context === null) {
    return unknown(
      'Context',
      'The server does not say how long a text may be.',
      'Prompt and answer that are too long together show as refused requests.',
    );
  }
  const evidence = `${context} tokens, prompt and answer together.`;
  const meaning = 'Keep rollouts.maxTokens and generation.maxTokens well below.';
  return server.dialect.drops
    ? unknown('Context', evidence, `${meaning} What does not fit is left out without a word: name its tokenizer.`)
    : yes('Context', evidence, meaning);
};

const severalLine = ({ facts: { server } }: ChatSubject): DoctorLine =>
  server.dialect.several
    ? yes('Field n', 'Asked for 2, it gave 2.', 'A group of attempts is one request, and its prompt is read once.')
    : unknown('Field n', 'It is not asked for more than one.', 'A group of attempts is as many requests.');

async function stopLine(subject: ChatSubject): Promise<DoctorLine> {
  const title = 'Stop texts';
  const whole = await once(subject, asking(subject.prompt));
  const stop = whole.text.trim().split(/\s+/)[1];
  if (stop === undefined)
    return unknown(title, 'It wrote a single word.', 'Runs end turns by tokens and do not need it.');
  const cut = await once(subject, asking(subject.prompt, { stop: [stop] }));
  const evidence = `Told to stop at “${stop}”, it wrote “${short(cut.text)}”.`;
  if (cut.pastStop === undefined) return yes(title, evidence, 'The text ends before it.');
  return cut.pastStop.trim() === stop
    ? yes(title, evidence, 'It leaves that text in; it is cut off here.')
    : unknown(title, evidence, 'It passes over "stop": what follows is cut off here, and paid for.');
}

const note = {
  name: 'note',
  description: 'Writes a number down.',
  parameters: { type: 'object', properties: { value: { type: 'integer' } }, required: ['value'] },
};

async function toolsLine(subject: ChatSubject): Promise<DoctorLine> {
  const { tools, server, tokensIn } = subject.facts;
  const title = 'Tools';
  const remedy = server.dialect.toolsWith ?? 'Choose a server that takes tools.';
  const own = 'They are written into the prompt here, with the model’s own template.';
  if (tools === 'refused' || tools === 'ignored') {
    const evidence =
      tools === 'refused'
        ? 'It refuses a request with tools.'
        : 'A prompt with tools is no longer: it passes over them.';
    return tokensIn ? yes(title, evidence, own) : unknown(title, evidence, `Tasks with tools need them. ${remedy}`);
  }
  const order: Message = { role: 'user', content: 'Call the tool note with the value 7.' };
  const { calls, text } = await once(subject, asking([order], { tools: [note] }));
  if (calls > 0) return yes(title, `It called: ${short(text)}`, 'Calls are part of the attempt’s text.');
  if (text.includes('<tool_call>')) {
    return yes(title, `The call came as text: ${short(text)}`, 'It is read from there.');
  }
  return unknown(
    title,
    `It took a tool and wrote “${short(text)}” instead of calling it.`,
    'Look at the first traces of a run.',
  );
}

async function reasoningLine(subject: ChatSubject): Promise<DoctorLine> {
  const { reasoning, text } = await once(subject, asking(subject.prompt));
  return reasoning === undefined
    ? unknown('Reasoning', `None came with “${short(text)}”.`, 'A model that thinks has its thoughts kept apart.')
    : yes('Reasoning', `“${short(reasoning)}” came apart from “${short(text)}”.`, 'Only the answer is judged.');
}

async function templateLine(subject: ChatSubject): Promise<DoctorLine> {
  const { facts, tokens, prompt, example } = subject;
  const title = 'Tokens and chat template';
  if (tokens === null) {
    const meaning = 'What it makes of them is not seen here; name the model’s "tokenizer" to compare.';
    return unknown(title, 'The server renders conversations itself.', meaning);
  }
  const talk = [...example, ...prompt.slice(-1)];
  const own = tokens.prompt(talk);
  const { promptTokens, promptCount } = await once(subject, asking(talk, { maxTokens: 16 }), facts.ids);
  const used = facts.tokensIn
    ? 'Prompts are sent as token ids, rendered here.'
    : 'The server renders conversations itself.';
  if (promptTokens.length === 0 && promptCount === null) {
    return unknown(title, `${used} It does not count a prompt’s tokens.`, 'It cannot be compared.');
  }
  const same = promptTokens.length > 0 ? own.join() === promptTokens.join() : promptCount === own.length;
  const theirs = promptTokens.length > 0 ? promptTokens.length : promptCount;
  const evidence = `${used} A conversation is ${own.length} tokens here and ${theirs} there, ${same ? 'the same' : 'and they differ'}.`;
  return same
    ? yes(title, evidence, 'Model and tokenizer belong together.')
    : no(
        title,
        evidence,
        'Tokenizer or template are not those that the server has: name the model’s own as "tokenizer".',
      );
}

/** Null for servers whose adapters are fixed. */
async function adaptersLine({ facts: { kind, server }, connection, signal }: ChatSubject): Promise<DoctorLine | null> {
  if (kind !== 'vllm' && kind !== 'sglang') return null;
  const title = 'LoRA adapters while it runs';
  try {
    const calls = await adapterCallsOf(connection, server.model, signal);
    const names = (await calls.loaded(signal)).map(({ name }) => name);
    const evidence = names.length === 0 ? 'None is loaded.' : `Loaded: ${names.join(', ')}.`;
    return kind === 'vllm'
      ? yes(title, `It takes them. ${evidence}`, 'What a "verl" endpoint trains can be sampled here.')
      : unknown(
          title,
          `${evidence} Whether it takes more shows with the first.`,
          'Start SGLang with --enable-lora for it.',
        );
  } catch (error) {
    if (!EndpointError.is(error, 'unable')) return broken(title, error);
    return unknown(title, 'It takes none.', `What a "verl" endpoint trains cannot be sampled here. ${error.remedy}`);
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
