import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { checkAdapter, type AdapterReport } from '../../../../src/launch/adapters/checkAdapter.ts';
import { DataError } from '../../../../src/launch/adapters/dataError.ts';
import { jsonItems } from '../../../../src/launch/adapters/jsonItems.ts';
import { lookAtData } from '../../../../src/launch/adapters/lookAtData.ts';
import { nthRecord } from '../../../../src/launch/adapters/nthRecord.ts';
import { openData } from '../../../../src/launch/adapters/openData.ts';
import { evaluationTasks } from '../../../../src/launch/inputs/evaluationTasks.ts';
import { writeSeedTasks } from '../../../../src/launch/adapters/seedTasks.ts';
import type { Adapter } from '../../../../src/shared/adapters/schema.ts';
import { parseTaskFile } from '../../../../src/shared/records/taskFile.ts';
import { sampleAdapter } from '../../../support/adapters/sampleAdapter.ts';

const { data, task } = sampleAdapter();
const { signal } = new AbortController();

describe('the data of an adapter', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-adapter-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function files(texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }

  /** Ids of the tasks, places and words of what does not fit, and the report. */
  async function checked(adapter: Adapter): Promise<{ ids: string[]; wrong: string[]; report: AdapterReport }> {
    const checking = checkAdapter(adapter, folder, { signal });
    const [ids, wrong]: [string[], string[]] = [[], []];
    for (;;) {
      const next = await checking.next();
      if (next.done === true) return { ids, wrong, report: next.value };
      if ('task' in next.value) ids.push(next.value.task.id);
      else {
        const { file, line, field, message } = next.value.problem;
        wrong.push(`${file.slice(folder.length + 1)}:${line} ${field} ${message}`);
      }
    }
  }

  it('of JSON lines is read line by line, and each that does not fit is told with its place', async () => {
    await files({
      'q.jsonl': '\uFEFF{"question":"a","answer":"1"}\r\n\n{"question":"b"}\nnot JSON\n{"question":"c","answer":"3"}',
    });
    const { ids, wrong, report } = await checked(sampleAdapter());
    assert.deepEqual(ids, ['test.0', 'test.3']);
    assert.deepEqual(wrong, [
      'q.jsonl:3 task.gold task.gold: there is nothing at /record/answer.',
      'q.jsonl:4 data This line is not JSON.',
    ]);
    assert.deepEqual(
      report.splits.map(({ name, files: found, records, fit }) => [name, found, records, fit]),
      [['test', 1, 4, 2]],
    );
  });

  it('of a table has its fields by the names of its head, quoted line ends counted', async () => {
    await files({ 'q.csv': 'question,answer\n"two\nlines",1\nshort\nb,2\n' });
    const table = { ...data, format: 'csv', splits: { test: { files: ['*.csv'] } } };
    const { ids, wrong } = await checked(sampleAdapter({ data: table }));
    assert.deepEqual(ids, ['test.0', 'test.2']);
    assert.deepEqual(wrong, ['q.csv:4 data This row has 1 fields, and the head names 2.']);
  });

  it('of JSON is a list of records, or one record a file', async () => {
    await files({
      'list.json': '[\n {"question": "a", "answer": "1"},\n {"question": "[,", "answer": "]"}\n]\n',
      'games/one/game.json': '{"question": "b",\n "answer": "2"}',
      'games/two/game.json': '{"question": "c"',
    });
    const splits = { list: { files: ['list.json'] }, games: { files: ['games/**/game.json'] } };
    const id = '{{ split }}.{{ file.folder | replace("/", ".") }}.{{ file.index }}';
    const { ids, wrong } = await checked(
      sampleAdapter({ data: { ...data, format: 'json', splits }, task: { ...task, id } }),
    );
    assert.deepEqual(ids, ['list..0', 'list..1', 'games.games.one.0']);
    assert.deepEqual(wrong, ['games/two/game.json:1 data The file is no whole JSON value.']);
  });

  it('that is damaged keeps its place, so that those after it are joined to their own', async () => {
    const place = { here: '/file/index', there: '/file/index' };
    const join = { gold: { kind: 'key', files: ['gold.jsonl'], format: 'jsonl', ...place } };
    const joined = sampleAdapter({
      data: { ...data, splits: { test: { files: ['q.jsonl'] } }, join },
      task: { ...task, id: '{{ record.question }}.{{ gold.is }}', gold: '/gold/is' },
    });
    await files({
      'q.jsonl': '{"question":"a"}\n{"question":\n{"question":"c"}\n{"question":"d"}\n',
      'gold.jsonl': '{"is":"1"}\n{"is":"2"}\n{"is":\n{"is":"4"}\n',
    });
    const { ids, wrong } = await checked(joined);
    assert.deepEqual(ids, ['a.1', 'd.4']);
    assert.deepEqual(wrong.sort(), [
      'gold.jsonl:3 data.join.gold This line is not JSON.',
      'q.jsonl:2 data This line is not JSON.',
      'q.jsonl:3 data.join.gold data.join.gold: no record there has the key “2”.',
    ]);
  });

  it('is joined by a key, by the place in the file, and from a file beside the record', async () => {
    await files({
      'q/a.jsonl': '{"id":"x","question":"a"}\n{"id":"y","question":"b"}\n{"id":"z","question":"c"}\n',
      'q/info.json': '{"topic":"t"}',
      'answers.jsonl': '{"id":"y","is":5.0}\n{"id":"x","is":"1"}\n{"id":"x","is":"2"}\n',
      'order.csv': 'n\n10\n20\n30\n',
    });
    const join = {
      answer: { kind: 'key', files: ['answers.jsonl'], format: 'jsonl', here: '/record/id', there: '/record/id' },
      order: { kind: 'key', files: ['order.csv'], format: 'csv', here: '/file/index', there: '/file/index' },
      info: { kind: 'beside', file: 'info.json' },
    };
    const joined = sampleAdapter({
      data: { ...data, splits: { test: { files: ['q/*.jsonl'] } }, join },
      task: { ...task, id: '{{ record.id }}.{{ order.n }}.{{ info.topic }}', gold: '/answer/is' },
    });
    const { ids, wrong } = await checked(joined);
    assert.deepEqual(ids, ['x.10.t', 'y.20.t']);
    assert.deepEqual(wrong, [
      'answers.jsonl:3 data.join.answer The key “x” stands in an earlier record already.',
      'q/a.jsonl:3 data.join.answer data.join.answer: no record there has the key “z”.',
    ]);
    const opened = await openData(joined, folder);
    const second = await nthRecord(opened, 'test', 1, signal);
    assert.ok(second !== null && 'scope' in second);
    assert.deepEqual([second.line, second.scope.values['answer']], [2, { id: 'y', is: 5 }]);
    assert.equal(await nthRecord(opened, 'test', 3, signal), null);
  });

  it('that gives one id twice, or a task that its rule cannot judge, is told so', async () => {
    await files({
      'q.jsonl': '{"question":"a","answer":"1"}\n{"question":"b","answer":"2"}\n{"question":"c","answer":"x"}\n',
    });
    const twice = await checked(sampleAdapter({ task: { ...task, id: 'same' } }));
    assert.deepEqual(twice.ids, ['same']);
    assert.match(twice.wrong[0] ?? '', /^q\.jsonl:2 task\.id .*“same” stands at .*q\.jsonl:1 already/);
    const { wrong } = await checked(sampleAdapter({ scorer: { kind: 'number', absolute: 0, relative: 0 } }));
    assert.deepEqual(wrong, ['q.jsonl:3 scorer scorer: the gold “x” is no number.']);
  });

  it('that is not there is named, with where its authors offer it', async () => {
    await assert.rejects(
      checkAdapter(sampleAdapter(), join(folder, 'nowhere'), { signal }).next(),
      (error) => error instanceof DataError && error.reason === 'no-folder' && error.remedy === 'Ask its authors.',
    );
    const splits = { a: { files: ['a.jsonl'], records: 3 }, b: { files: ['b/*.jsonl'] } };
    await files({ 'a.jsonl': '{"question":"a","answer":"1"}\n' });
    const partial = sampleAdapter({ data: { ...data, splits } });
    const { report } = await checked(partial);
    assert.deepEqual(
      report.splits.map(({ name, missing, records, expected }) => [name, missing, records, expected]),
      [
        ['a', [], 1, 3],
        ['b', ['b/*.jsonl'], 0, null],
      ],
    );
    assert.deepEqual(await lookAtData(partial, folder, signal), {
      files: 1,
      records: 1,
      expected: null,
      missing: ['b/*.jsonl'],
    });
  });

  it('becomes a task file that an experiment reads, or none when it is given up', async () => {
    await files({ 'q.jsonl': '{"question":"a","answer":"1"}\n{"question":"b"}\n{"question":"c","answer":"3"}\n' });
    const out = join(folder, 'seeds.tasks.jsonl');
    assert.deepEqual(await writeSeedTasks(out, sampleAdapter(), folder, { signal }), { tasks: 2, leftOut: 1 });
    const { readFile, readdir } = await import('node:fs/promises');
    const read = parseTaskFile(await readFile(out, 'utf8'), out, 'base');
    assert.ok('tasks' in read);
    assert.deepEqual(
      read.tasks.map(({ id, gold, evaluation }) => [id, gold, evaluation.kind]),
      [
        ['base.test.0', '1', 'exact'],
        ['base.test.2', '3', 'exact'],
      ],
    );
    const ending = new AbortController();
    ending.abort();
    const other = join(folder, 'other.tasks.jsonl');
    await assert.rejects(writeSeedTasks(other, sampleAdapter(), folder, { signal: ending.signal }));
    assert.deepEqual((await readdir(folder)).sort(), ['q.jsonl', 'seeds.tasks.jsonl']);
  });

  it('of several kinds is read as each file’s name ends, and joined whole where every record needs it', async () => {
    await files({
      'a.jsonl': '{"question":"a","answer":"1"}',
      'b.csv': 'question,answer\nb,2',
      'c.json': '[{"question":"c","answer":"3"}]',
      'docs/one.jsonl': '{"n":1}\n{"n":2}\nnot JSON',
      'docs/two.csv': 'n\n3',
    });
    const adapter = sampleAdapter({
      data: {
        ...data,
        format: 'ending',
        splits: { test: { files: ['*.*'] } },
        join: { docs: { kind: 'all', files: ['docs/*', 'more/*'], format: 'ending' } },
        scorer: ['tables/*.csv'],
      },
      task: {
        ...task,
        id: '{{ file.stem }}',
        prompt: [{ role: 'user', content: '{{ docs.one | length }}{{ docs.two[0].n }}' }],
      },
    });
    const checking = checkAdapter(adapter, folder, { signal });
    const found = [];
    for (let next = await checking.next(); ; next = await checking.next()) {
      if (next.done === true) {
        assert.deepEqual(
          next.value.joins.map(({ name, missing }) => [name, missing]),
          [
            ['docs', ['more/*']],
            ['scorer', ['tables/*.csv']],
          ],
        );
        break;
      }
      if ('task' in next.value) {
        const { id, prompt, gold, evaluation } = next.value.task;
        found.push([id, prompt[0]?.content, gold, evaluation['data']]);
      } else found.push([next.value.problem.field, next.value.problem.line]);
    }
    assert.deepEqual(found, [
      ['data.join.docs', 3],
      ['a', '23', '1', folder],
      ['b', '23', '2', folder],
      ['c', '23', '3', folder],
    ]);
    const asked = { folder, splits: [], sample: null, seed: 1, signal };
    await assert.rejects(evaluationTasks(adapter, asked), {
      ...{ name: 'DataError', reason: 'incomplete', remedy: 'Ask its authors.' },
      message: `In ${folder} no file matches more/*, tables/*.csv, which sample needs.`,
    });
  });

  it('tells records of equal ids, also on one line', async () => {
    await files({ 'q.json': '[{"id":"a","q":"1"},{"id":"a","q":"2"},{"id":"b","q":"3"}]' });
    const adapter = sampleAdapter({
      data: { ...data, format: 'json', splits: { one: { files: ['q.json'] }, two: { files: ['q.json'] } } },
      task: { ...task, id: '/record/id', prompt: [{ role: 'user', content: '/record/q' }], gold: '/record/q' },
    });
    const { ids, wrong } = await checked(adapter);
    assert.deepEqual(ids, ['a', 'b', 'a', 'b']);
    const told = `q.json:1 task.id task.id: “a” stands at ${join(folder, 'q.json')}:1 already.`;
    assert.deepEqual(wrong, [told, told]);
  });

  it('of API-Bank is a sample for every call, and for what follows it', async () => {
    const api = { role: 'API', api_name: 'A', param_dict: { x: 1 }, result: { output: { y: 2 }, exception: null } };
    const turns = [
      { role: 'User', text: 'Do.' },
      api,
      api,
      { role: 'AI', text: 'Done.' },
      api,
      { role: 'User', text: '?' },
    ];
    await files({ 'q.jsonl': turns.map((turn) => JSON.stringify(turn)).join('\n'), 'r.jsonl': '{"role":"Cat"}' });
    const adapter = sampleAdapter({
      data: { ...data, format: 'api-bank', splits: { test: { files: ['*.jsonl'] } } },
      task: {
        ...task,
        id: '{{ record.sample }}',
        prompt: [
          { role: 'user', content: '{{ record.kind }}{% for turn in record.history %}|{{ turn.text }}{% endfor %}' },
        ],
        gold: '/record/said',
      },
    });
    const { ids, wrong } = await checked(adapter);
    // The user's turn after the last call is not to be predicted.
    assert.deepEqual(ids, ['0', '1', '2', '3', '4']);
    assert.deepEqual(wrong, ['r.jsonl:1 data In this dialogue line 1 of it is no turn of a dialogue.']);
    const { tasks } = await evaluationTasks(
      sampleAdapter({ ...adapter, data: { ...adapter.data, splits: { test: { files: ['q.jsonl'] } } } }),
      { folder, splits: [], sample: null, seed: 1, signal },
    );
    const shown = '[A(x=\'1\')] Response: {"y":2}';
    assert.deepEqual(
      tasks.map(({ prompt, gold }) => [prompt[0]?.content, gold]),
      [
        ['call|Do.', "[A(x='1')]"],
        [`call|Do.|${shown}`, "[A(x='1')]"],
        [`call|Do.|${shown}`, "[A(x='1')]"],
        [`response|Do.|${shown}|${shown}`, 'Done.'],
        [`call|Do.|${shown}|${shown}|Done.`, "[A(x='1')]"],
      ],
    );
  });
});

describe('a JSON list that arrives in pieces', () => {
  async function* inPieces(text: string, cuts: readonly number[]): AsyncGenerator<string> {
    let from = 0;
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      yield text.slice(from, Math.max(from, cut));
      from = Math.max(from, cut);
    }
    yield text.slice(from);
    await Promise.resolve();
  }

  it('gives the items that its parse gives, wherever it is cut, each at its line', async () => {
    const cases = fc.record({
      items: fc.array(fc.jsonValue(), { maxLength: 6 }),
      indent: fc.constantFrom(0, 1),
      cuts: fc.array(fc.nat(200), { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ items, indent, cuts }) => {
        const text = ` ${JSON.stringify(items, null, indent)}\n`;
        const found = await Array.fromAsync(jsonItems(inPieces(text, cuts)));
        assert.deepEqual(
          found.map((item): unknown => JSON.parse(item.text)),
          JSON.parse(JSON.stringify(items)),
        );
        for (const item of found) {
          assert.ok(item.whole);
          const line = text.split('\n')[item.line - 1] ?? '';
          assert.ok(line.includes(item.text.split('\n')[0] ?? ''), `${item.line}: ${item.text}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  for (const text of ['[1', '[{"a": 1}', '{"a": ', '{"a": 1} {"b": 2}', '[1] x', '[']) {
    it(`says that ${text} is no whole value`, async () => {
      const found = await Array.fromAsync(jsonItems(inPieces(text, [2])));
      assert.ok(found.some(({ whole }) => !whole));
    });
  }
});
