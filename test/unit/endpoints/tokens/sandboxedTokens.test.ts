import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatTokens } from '../../../../src/endpoints/tokens/chatTokens.ts';
import { SandboxedTokens } from '../../../../src/endpoints/tokens/sandboxedTokens.ts';
import { readTokenizer } from '../../../../src/endpoints/tokens/tokenizerFiles.ts';
import { openTokens, wordsOnDisk } from '../../../../src/launch/policies/openTokens.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import { fromSources } from '../../../support/fromSources.ts';
import { bytePairTokenizer, chatTemplate } from '../../../support/tokens/smallTokenizer.ts';

const script = new URL('tokens-worker.js', fromSources);
const messages: Message[] = [
  { role: 'user', content: 'Hello, wörld 😀' },
  { role: 'assistant', content: 'x', tokens: [1, 2, 3] },
  { role: 'user', content: 'and then?' },
];

describe('a tokenizer in a thread of its own', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-tokens-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const write = async (tokenizer: object, template = chatTemplate): Promise<void> => {
    const { config } = bytePairTokenizer();
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
    await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({ ...config, chat_template: template }));
  };
  const open = (): SandboxedTokens => new SandboxedTokens({ source: folder, cache: folder }, script);

  it('makes the tokens that it makes in the same thread', async () => {
    await write(bytePairTokenizer().tokenizer);
    const here = new ChatTokens(await readTokenizer(folder, folder, () => Promise.resolve(null)));
    const there = open();
    assert.deepEqual(there.stop, here.stop);
    assert.deepEqual(there.prompt(messages), here.prompt(messages));
    assert.deepEqual(there.render(messages), here.render(messages));
    assert.equal(there.decode(here.prompt(messages)), here.decode(here.prompt(messages)));
  });

  it('is one thread for all policies of a model, and another after its files were edited', async () => {
    await write(bytePairTokenizer().tokenizer);
    const needs = { dist: fromSources, keys: { reach: () => Promise.reject(new Error('no address is asked')) } };
    const [one, two] = [await openTokens(folder, needs), await openTokens(folder, needs)];
    assert.equal(one, two);
    await write(bytePairTokenizer().tokenizer, `${chatTemplate} `);
    assert.notEqual(await openTokens(folder, needs), one);
  });

  it('tells the text of each token by itself where its files lie here, and nothing where they do not', async () => {
    await write(bytePairTokenizer().tokenizer);
    const ids = open().prompt([{ role: 'user', content: 'and then' }]);
    const words = wordsOnDisk(folder, ids, fromSources);
    assert.equal(words?.length, ids.length);
    assert.equal(words.join(''), open().decode(ids).replace('<|im_end|>', ''), 'the end of a turn has none');
    assert.equal(wordsOnDisk(join(folder, 'none'), ids, fromSources), null);
    assert.equal(wordsOnDisk(folder, new Array<number>(20_000).fill(1), fromSources), null);
  });

  it('says what is wrong with its files as it would in the same thread', async () => {
    await write({});
    assert.throws(open, { reason: 'format' });
    await write(bytePairTokenizer().tokenizer, '{% for m in messages %}');
    assert.throws(open, { reason: 'format' });
    await write(bytePairTokenizer().tokenizer, '{{ raise_exception("no") }}');
    assert.throws(() => open().prompt(messages), { reason: 'template' });
  });

  it('is ended by a text that its expressions take too long for, and makes other tokens afterwards', async () => {
    const { tokenizer } = bytePairTokenizer();
    const split = { type: 'Split', pattern: { Regex: '(?:a|aa)+$' }, behavior: 'Isolated', invert: false };
    const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
    await write({ ...tokenizer, pre_tokenizer: { type: 'Sequence', pretokenizers: [split, bytes] } });
    const tokens = new SandboxedTokens({ source: folder, cache: folder }, script, 2);
    const before = tokens.prompt(messages);
    assert.throws(() => tokens.prompt([{ role: 'user', content: `${'a'.repeat(200)}!` }]), {
      reason: 'limit',
      message: /tokenizer or chat template fails: it takes longer than 2 s/,
    });
    assert.deepEqual(tokens.prompt(messages), before);
  });

  it('is refused when a file is larger than any tokenizer', async () => {
    await writeFile(join(folder, 'tokenizer.json'), Buffer.alloc(2 ** 26 + 1, ' '));
    assert.throws(open, { reason: 'limit', message: /tokenizer\.json has more than 64 MB/ });
  });
});
