import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedAssets } from '../../../../src/endpoints/embedded/assets.ts';
import { render } from '../../../../src/endpoints/embedded/render.ts';
import { tokenizerFiles } from '../../../../src/endpoints/embedded/tokenizerFiles.ts';
import { Vocabulary } from '../../../../src/endpoints/embedded/vocabulary.ts';
import { readHeader } from '../../../../src/endpoints/embedded/model/weights.ts';
import { ChatTokens } from '../../../../src/endpoints/tokens/chatTokens.ts';
import { readTokenizer } from '../../../../src/endpoints/tokens/tokenizerFiles.ts';
import { TokensError } from '../../../../src/endpoints/tokens/tokensError.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import { readFileSync } from 'node:fs';
import { fromSources } from '../../../support/fromSources.ts';
import { bytePairTokenizer, chatTemplate, glmSpecial, glmTemplate } from '../../../support/tokens/smallTokenizer.ts';

const chat = new ChatTokens({ ...bytePairTokenizer(), template: chatTemplate, source: 'small' });
const one = { role: 'user', content: 'Hi' } satisfies Message;

describe('tokens by a model’s own tokenizer', () => {
  it('of ChatML with Unicode, digits and runs of blanks are the golden ids', () => {
    const messages: Message[] = [
      { role: 'system', content: 'Be  brief.' },
      { role: 'user', content: 'Größe 12345?\n\n\t日本 🙂' },
    ];
    const golden: unknown = JSON.parse(
      readFileSync(new URL('../../../support/tokens/golden.json', import.meta.url), 'utf8'),
    );
    const tools = [{ name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } }];
    assert.deepEqual({ plain: chat.prompt(messages), tools: chat.prompt(messages, tools) }, golden);
  });

  it('say the text again', () => {
    for (const text of ['plain words', ' two  blanks', 'Größe', '日本 🙂', '12 345', 'line\n\nline']) {
      const { tokens, spans } = chat.render([one, { role: 'assistant', content: text }]);
      const [start, end] = spans[0] ?? [0, 0];
      assert.equal(chat.decode(tokens.slice(start, end)), text);
      assert.deepEqual(tokens.slice(end - 1, end), chat.stop);
    }
  });

  it('of a sampled turn stay as they were sampled, and later turns extend them', () => {
    // Ids that the text would never be given: "to" is one token, these are its letters.
    const ids = [32, 116, 111, ...chat.stop];
    const first = chat.prompt([one]);
    const second = chat.prompt([
      one,
      { role: 'assistant', content: ' to', tokens: ids },
      { role: 'user', content: 'And?' },
    ]);
    assert.deepEqual(second.slice(0, first.length + ids.length), [...first, ...ids]);
    const newline = chat.prompt([one]).length;
    assert.ok(second.length > newline + ids.length);
    assert.equal(second.filter((id) => chat.stop.includes(id)).length, 3, 'each turn ends once');
  });

  it('end a turn as the template does, where that is not the end of a text', () => {
    const { tokenizer, config } = bytePairTokenizer();
    const files = { tokenizer, config: { ...config, eos_token: '<|endoftext|>' }, template: chatTemplate };
    const other = new ChatTokens({ ...files, source: 'small' });
    const [end] = chat.stop;
    assert.deepEqual([other.stop.length, other.stop[0]], [2, end]);
    const turn = { role: 'assistant', content: 'o' } satisfies Message;
    assert.deepEqual(other.render([one, turn]), chat.render([one, turn]), 'as trained');
    const told = chat.render([one, turn]);
    const [from, to] = told.spans[0] ?? [0, 0];
    const sampled = told.tokens.slice(from, to);
    assert.equal(other.decode(sampled), 'o');
    assert.equal(other.decode([...sampled.slice(0, -1), other.stop[1] ?? -1]), 'o', 'a model may end a text instead');
    const history = [one, { ...turn, tokens: sampled }, one];
    assert.deepEqual(other.prompt(history), chat.prompt(history), 'the turn ends once');
  });

  it('end a turn by what begins the next one, where the template puts no end (GLM)', () => {
    const { tokenizer, config } = bytePairTokenizer(glmSpecial);
    const files = { tokenizer, config: { ...config, eos_token: '<|endoftext|>' }, template: glmTemplate };
    const glm = new ChatTokens({ ...files, source: 'small' });
    const idOf = (token: string): number => tokenizer.added_tokens.find(({ content }) => content === token)?.id ?? -1;
    const [end, user, tool] = ['<|endoftext|>', '<|user|>', '<|observation|>'].map(idOf);
    assert.ok(end !== undefined && user !== undefined && tool !== undefined);
    assert.deepEqual(glm.stop, [end, user, tool]);
    for (const [id, next] of [
      [user, one],
      [tool, { role: 'tool', content: '3' }],
    ] as const) {
      const first = glm.prompt([one]);
      const sampled = [...glm.prompt([{ role: 'user', content: 'o' }]).slice(4, 5), id];
      assert.equal(glm.decode(sampled), 'o');
      const turn: Message = { role: 'assistant', content: 'o' };
      const history = glm.prompt([one, { ...turn, tokens: sampled }, next]);
      assert.deepEqual(history.slice(0, first.length + 2), [...first, ...sampled]);
      assert.equal(history.filter((one) => one === id).length, id === user ? 2 : 1, 'the turn ends once');
      assert.deepEqual(glm.prompt([one, turn, next]), history, 'a turn that was not sampled ends so, too');
    }
    const { tokens } = glm.render([one, { role: 'assistant', content: 'o' }]);
    assert.equal(tokens.at(-1), end);
  });

  it('of a turn that was cut have no end that nobody sampled', () => {
    const cut = chat.prompt([one, { role: 'assistant', content: 'o', tokens: [7] }, one]);
    const whole = chat.prompt([one, { role: 'assistant', content: 'o', tokens: [7, ...chat.stop] }, one]);
    assert.deepEqual(cut, whole, 'the template ends it before the next turn');
  });

  it('are refused with the reason when the template cannot render, or a turn is left out', () => {
    const broken = (template: string) => new ChatTokens({ ...bytePairTokenizer(), template, source: 'small' });
    const answered: Message[] = [one, { role: 'assistant', content: 'x' }];
    const reason = (template: string): string => {
      try {
        broken(template).prompt(answered);
      } catch (error) {
        if (TokensError.is(error)) return error.reason;
        throw error;
      }
      return '';
    };
    assert.equal(reason('{{ raise_exception("no") }}'), 'template');
    assert.equal(reason('{{ messages[0].content }}'), 'template');
    assert.equal(reason(chatTemplate), '');
    assert.throws(
      () => new ChatTokens({ ...bytePairTokenizer(), config: {}, template: '', source: 'small' }),
      TokensError,
    );
  });
});

describe('the embedded models’ tokenizer as files', () => {
  it('gives the ids that the embedded endpoint gives', async () => {
    const assets = embeddedAssets(fromSources);
    const header = readHeader(readFileSync(assets.weights.agent), 'agent');
    const vocabulary = new Vocabulary(header.vocabulary, header.end);
    const files = tokenizerFiles(vocabulary, 256);
    const folder = await mkdtemp(join(tmpdir(), 'genenv-tokens-'));
    try {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      const tokens = new ChatTokens(await readTokenizer(folder, folder, () => Promise.resolve(null)));
      const [a, b, c] = vocabulary.words.filter((word) => word !== vocabulary.word(vocabulary.end));
      const messages: Message[] = [
        { role: 'system', content: `${a}` },
        { role: 'user', content: `${b} ${c} ${b}` },
        { role: 'assistant', content: `${c} ${a}` },
        { role: 'user', content: `${b}` },
        { role: 'assistant', content: '', tokens: [vocabulary.id(a ?? ''), vocabulary.end] },
      ];
      assert.deepEqual(tokens.render(messages), render(vocabulary, messages));
      assert.deepEqual(tokens.prompt(messages.slice(0, 2)), render(vocabulary, messages.slice(0, 2)).tokens);
      const ids = [vocabulary.id(a ?? ''), vocabulary.id(b ?? ''), vocabulary.end];
      assert.equal(tokens.decode(ids), vocabulary.decode(ids));
      assert.throws(() => tokens.prompt([{ role: 'user', content: 'xyzzy-unheard-of' }]), TokensError);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('tokenizer files', () => {
  it('come from the hub by name, once; then from the cache', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'genenv-tokens-'));
    const asked: string[] = [];
    const fetchText = (address: string): Promise<string | null> => {
      asked.push(address);
      const { tokenizer, config } = bytePairTokenizer();
      if (address.endsWith('tokenizer.json')) return Promise.resolve(JSON.stringify(tokenizer));
      if (address.endsWith('config.json'))
        return Promise.resolve(JSON.stringify({ ...config, chat_template: chatTemplate }));
      return Promise.resolve(null);
    };
    try {
      const first = await readTokenizer('org/model:variant', cache, fetchText);
      assert.equal(first.template, chatTemplate);
      assert.ok(asked.includes('https://huggingface.co/org/model/resolve/main/tokenizer.json'), asked.join());
      const before = asked.filter((address) => !address.endsWith('jinja')).length;
      await readTokenizer('org/model:variant', cache, fetchText);
      assert.equal(asked.filter((address) => !address.endsWith('jinja')).length, before);
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  });

  it('that are not there, or broken, are told with what to do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-tokens-'));
    const read = () => readTokenizer(folder, folder, () => Promise.resolve(null));
    try {
      await assert.rejects(
        read(),
        (error) => TokensError.is(error, 'missing') && error.message.includes('tokenizer.json'),
      );
      await writeFile(join(folder, 'tokenizer.json'), '{}');
      await assert.rejects(
        read(),
        (error) => TokensError.is(error, 'missing') && error.remedy.includes('chat_template.jinja'),
      );
      await writeFile(join(folder, 'chat_template.jinja'), 'x');
      await writeFile(join(folder, 'tokenizer.json'), '{"model":');
      await assert.rejects(
        read(),
        (error) => TokensError.is(error, 'format') && error.message.includes('tokenizer.json'),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
