import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { readAdapter } from '../../../src/benchmarks/adapter/readAdapter.ts';
import { Bm25Builder, CorpusTooLarge } from '../../../src/benchmarks/bamboogle/bm25.ts';
import { Corpus } from '../../../src/benchmarks/bamboogle/corpus.ts';
import { scoreTable } from '../../../src/benchmarks/evaluate/scoreTable.ts';
import { OptionError } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { evaluationLines } from '../../../src/features/evaluation/cli/showEvaluation.ts';
import { evaluate, type Evaluation } from '../../../src/features/evaluation/node/evaluate.ts';
import { environmentKeys } from '../../../src/launch/access/keys.ts';
import type { Adapter } from '../../../src/shared/adapters/schema.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { traceSchema, type Trace } from '../../../src/shared/records/trace.ts';
import { fromSources } from '../../support/fromSources.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { tiny } from '../../support/tiny.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { EvaluationAsk } from '../../../src/features/evaluation/node/evaluationAsk.ts';

/** Questions and passages of our own. */
const data = fileURLToPath(new URL('../../support/bamboogle/', import.meta.url));

function shipped(): Adapter {
  const file = new URL('../../../media/adapters/bamboogle-search.adapter.json', import.meta.url);
  const { adapter } = readAdapter(readFileSync(file, 'utf8'), 'bamboogle-search');
  assert.ok(adapter !== null);
  return adapter;
}

const call = (query: string): string =>
  `<think> I look it up. </think>\n<tool_call>\n{"name": "Search", "parameters": {"query": "${query}"}}\n</tool_call>`;

describe('BM25', () => {
  it('ranks as the formula says, whatever the passages', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd');
    const passages = fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(passages, fc.array(word, { minLength: 1, maxLength: 3 }), (texts, query) => {
        const builder = new Bm25Builder();
        for (const text of texts) builder.add(text.join(' '));
        const mean = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
        const score = (text: string[]): number =>
          [...new Set(query)].reduce((sum, one) => {
            const often = text.filter((other) => other === one).length;
            const having = texts.filter((other) => other.includes(one)).length;
            const idf = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
            return sum + (often === 0 ? 0 : (idf * often * 1.9) / (often + 0.9 * (0.6 + (0.4 * text.length) / mean)));
          }, 0);
        const found = builder.done().search(query.join(' '), 3);
        const wanted = texts
          .map(score)
          .filter((one) => one > 0)
          .toSorted((one, other) => other - one)
          .slice(0, 3);
        assert.equal(found.length, wanted.length);
        for (const [at, place] of found.entries()) {
          assert.ok(Math.abs(score(texts[place] ?? []) - (wanted[at] ?? outOfRange())) < 1e-9);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('refuses more words than it may hold', () => {
    const builder = new Bm25Builder(3);
    builder.add('one two three');
    assert.throws(() => builder.add('four'), CorpusTooLarge);
  });
});

describe('a corpus', () => {
  it('finds passages by their words, with their titles, in either form', async () => {
    const corpus = await Corpus.open(join(data, 'corpus.jsonl'));
    assert.deepEqual(corpus.search('Who built the HIGH bridge?', 1), [
      { title: 'High Bridge', text: 'The High Bridge was built by Joan Fell.' },
    ]);
    assert.equal(corpus.search('oxley city', 5)[0]?.text, 'Oxley is a city on the river Wend.');
    assert.equal(corpus.search('naïve', 5)[0]?.title, 'Miller');
    assert.deepEqual(corpus.search('zebra', 5), []);
  });

  it('names what is missing or no passage', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-corpus-'));
    try {
      await assert.rejects(Corpus.open(join(dir, 'none.jsonl')), OptionError);
      await writeFile(join(dir, 'bad.jsonl'), '{"contents": "\\"A\\"\\nb"}\n{"body": 1}\n');
      await assert.rejects(Corpus.open(join(dir, 'bad.jsonl')), { message: /bad\.jsonl:2 is no passage/ });
      const text = `${JSON.stringify({ title: 'A', text: 'b' })}\n${JSON.stringify({ title: 'Ä', text: 'b' })}\n`;
      await writeFile(join(dir, 'latin.jsonl'), text, 'latin1');
      await assert.rejects(Corpus.open(join(dir, 'latin.jsonl')), {
        name: 'OptionError',
        message: /latin\.jsonl:2 cannot be read: it is not UTF-8/,
      });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

describe('Bamboogle with search, asked through an endpoint', function () {
  this.timeout(60_000);
  let dir = '';
  let server: FakeServer;
  /** Prompts in the order in which they came: system and person. */
  let asked: [system: string, person: string, ...more: string[]][] = [];

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-search-'));
    server = await new FakeServer('vllm').start();
    server.context = 1_000_000;
  });
  after(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  let times = 0;
  async function said(
    answer: (prompt: string, round: number) => string,
    over: Partial<EvaluationAsk> = {},
  ): Promise<Evaluation & { traces: Trace[] }> {
    asked = [];
    server.says = (_, { messages = [] }) => {
      const [system = '', person = '', ...more] = messages.map(({ content }) => content ?? '');
      // The endpoint is tried with other questions first.
      if (person.startsWith('**Dialogue')) asked.push([system, person, ...more]);
      return { content: answer(person, person.split('<obs>').length) };
    };
    const experiment = resolveExperiment({
      ...{ version: 1, ...tiny, mode: 'offline' },
      endpoints: { agent: { kind: 'openai', url: server.url, model: 'qwen' } },
    });
    const evaluation = await evaluate(
      {
        ...{ adapter: shipped(), data, splits: [], sample: null, seed: 1, attempts: 1, temperature: 0, maxTokens: 500 },
        policy: { kind: 'experiment', name: 'said', experiment },
        folderOf: (id) => join(dir, `${(times += 1)}-${id}`),
        ...over,
      },
      {
        dist: fromSources,
        clock: { now: () => 0 },
        keys: environmentKeys({}),
        signal: new AbortController().signal,
        log: { info: () => undefined, warn: () => undefined },
      },
    );
    const lines = (await readFile(join(evaluation.folder, 'answers.jsonl'), 'utf8')).trimEnd().split('\n');
    return { ...evaluation, traces: lines.map((line) => traceSchema.parse(JSON.parse(line))) };
  }

  it('shows what was found, everything in one message, and judges the response', async () => {
    const evaluation = await said((prompt, round) => {
      if (prompt.includes('river')) {
        if (round === 1) return call('Ada Miller born');
        return round === 2 ? call('Oxley river') : '<think> So. </think>\n<response> the Wend </response>';
      }
      return round === 1 ? call('built High Bridge') : 'Joan Fell';
    });
    const { outcomes } = evaluation;
    assert.deepEqual(
      outcomes.map(({ successes, parts }) => [successes, parts['em'], parts['searches']]),
      [
        [1, 1, 2],
        [1, 1, 1],
      ],
    );
    const scores = scoreTable(outcomes, evaluation.settings.rule, [1]);
    assert.match(evaluationLines(evaluation, scores, 120).join('\n'), /^mean of searches: 1\.50$/m);
    assert.ok(asked.every((prompt) => prompt.length === 2 && prompt[0].includes('1. Name: Search')));
    const last = asked.find(([, person]) => person.includes('<obs>') && person.includes('bridge that'));
    assert.equal(
      last?.[1],
      '**Dialogue Records History**\n' +
        '<user> Who built the bridge that Ada Miller painted?\nPerform tool call if you are not sure about the answer. ' +
        'Make a plan to solve the problem step by step. </user>\n\n' +
        '<think> I look it up. </think>\n<tool_call>\n' +
        "{'name': 'Search', 'parameters': {'query': 'built High Bridge'}}\n</tool_call>\n" +
        '<obs> Search results for the first tool call query:\n1. High Bridge\n- Snippet: The High Bridge was built by Joan ' +
        'Fell.\n2. Ada Miller\n- Snippet: Ada Miller was a painter, born in Oxley. She painted the High Bridge. </obs>\n\n' +
        '<user> Please continue to search if needed. If you can obtain the answer, please do not call any tool and directly ' +
        'provide a succinct answer in the response. </user>',
    );
  });

  it('ends after four rounds, a call that cannot be read spending one', async () => {
    const { traces } = await said((_, round) =>
      round === 1 && asked.length <= 2 ? '<tool_call>\nSearch!\n</tool_call>' : call('Oxley'),
    );
    for (const { messages, verdict } of traces) {
      assert.equal(messages.filter(({ role }) => role === 'assistant').length, 4);
      assert.deepEqual(
        [verdict.success, verdict.valid, verdict.note],
        [false, false, 'there is a tool call and no answer'],
      );
      assert.equal(verdict.parts?.['searches'], 3);
    }
    // Of what could not be read nothing is shown: the same is asked again.
    const [first] = asked;
    assert.equal(asked.filter(([, person]) => person === first?.[1]).length, 2);
    assert.ok(
      asked.some(([, person]) => person.endsWith('directly provide a succinct answer in your next response. </user>')),
    );
  });

  it('finds the gold right, and names a corpus that is missing', async () => {
    const { outcomes } = await said(() => '', { policy: { kind: 'gold' } });
    assert.deepEqual(
      outcomes.map(({ successes }) => successes),
      [1, 1],
    );
    const bare = join(dir, 'bare');
    await writeFile(join(dir, 'data.json'), await readFile(join(data, 'data.json')));
    await assert.rejects(
      said(() => '', { data: dir }),
      { name: 'DataError', message: /corpus\.jsonl/ },
    );
    await assert.rejects(
      said(() => '', { data: bare }),
      { name: 'DataError' },
    );
  });
});
