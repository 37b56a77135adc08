import assert from 'node:assert/strict';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import { sampleAdapter } from '../support/adapters/sampleAdapter.ts';
import { Workspace, type Ended } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const errorSchema = z.strictObject({
  error: z.strictObject({
    reason: z.string(),
    message: z.string(),
    problems: z.array(z.looseObject({ file: z.string(), line: z.int(), field: z.string() })).optional(),
  }),
});
const errorOf = ({ err }: Ended) => errorSchema.parse(JSON.parse(err)).error;

describe('genenv: what is typed and what is read', () => {
  const workspace = new Workspace();
  after(() => workspace.remove());
  const genenv = (...args: string[]): Promise<Ended> => workspace.genenv(...args);
  /** Refused with code 2, saying this, and nothing made. */
  const refused = async (args: string[], ...messages: RegExp[]): Promise<Ended> => {
    const before = readdirSync(workspace.dir);
    const result = await genenv(...args);
    assert.equal(result.code, 2, result.err);
    assert.equal(result.out, '');
    for (const message of messages) assert.match(result.err, message);
    assert.deepEqual(readdirSync(workspace.dir), before);
    return result;
  };

  it('helps, and says its version', async () => {
    const help = await genenv('--help');
    assert.deepEqual([help.code, help.err], [0, '']);
    assert.match(help.out, /Usage: genenv COMMAND/);
    assert.equal((await genenv()).out, help.out);
    assert.match((await genenv('run', '--help')).out, /Usage: genenv run FILE/);
    assert.match((await genenv('--version')).out, /^\d+\.\d+\.\d+\n$/);
  });

  it('refuses unknown commands, options and runs, and names the nearest', async () => {
    await refused(['lsit'], /no command "lsit"\. Did you mean "genenv list"/);
    await refused(['list', '--jsn'], /no option --jsn\. Did you mean --json/);
    await refused(['show'], /needs RUN/);
    await refused(['mcp', '--folder', 'none'], /There is no folder .*none/);
    await refused(['study'], /"genenv study" needs FILE/);
    await refused(['study', 'show'], /"genenv study show" needs FILE/);
    await refused(['show', 'nope'], /no run "nope"/);
    await refused(['resume', 'nope'], /no run "nope"/);
    assert.equal(errorOf(await refused(['show', 'nope', '--json'])).reason, 'not-found');
    assert.equal(errorOf(await refused(['lsit', '--json'])).reason, 'usage');
  });

  it('writes over nothing that it reads', async () => {
    const line = '{"question":"a","answer":"1"}\n';
    workspace.write('q.jsonl', line);
    workspace.write('city.adapter.json', { ...sampleAdapter(), data: { ...sampleAdapter().data, folder: '.' } });
    workspace.write('cases.jsonl', '{"prediction":"x","gold":"x"}\n');
    symlinkSync(join(workspace.dir, 'cases.jsonl'), join(workspace.dir, 'linked.jsonl'));
    linkSync(join(workspace.dir, 'q.jsonl'), join(workspace.dir, 'hard.jsonl'));
    workspace.write('seeded.genenv.json', { ...tiny, domain: { seeds: 'seeds.jsonl' } });
    workspace.write('seeds.jsonl', '');
    const read = /--out \S+ is a file that is read/;
    await refused(['score', 'bamboogle', '--in', 'cases.jsonl', '--out', 'linked.jsonl'], read);
    await refused(['import', 'q.jsonl', '--out', './hard.jsonl'], read);
    await refused(['check-adapter', 'city.adapter.json', '--out', 'city.adapter.json'], read);
    await refused(['check-adapter', 'city.adapter.json', '--out', 'hard.jsonl'], read);
    await refused(['make-tasks', 'seeded.genenv.json', '--out', 'seeded.genenv.json'], read);
    await refused(['make-tasks', 'seeded.genenv.json', '--out', 'seeds.jsonl'], read);
    assert.equal(readFileSync(join(workspace.dir, 'q.jsonl'), 'utf8'), line);
  });

  it('refuses a --set that make-tasks itself decides', async () => {
    workspace.write('own.genenv.json', tiny);
    const make = ['make-tasks', 'own.genenv.json', '--out', 'made.jsonl'];
    await refused([...make, '--set', 'mode=genenv'], /--set mode has no effect here\. make-tasks trains nothing/);
    const server = ['--url', 'http://127.0.0.1:9/v1', '--model', 'big'];
    await refused(
      [...make, ...server, '--set', 'endpoints.environment.model=small'],
      /--url and --set endpoints\.environment\.model set the same\. Give one of the two\./,
    );
    await refused(
      [...make, ...server, '--set', 'endpoints.environment={"kind":"openai","url":"http://127.0.0.1:8/v1"}'],
      /--url and --set endpoints\.environment\.kind set the same\./,
    );
    assert.ok(!existsSync(join(workspace.dir, 'made.jsonl')));
  });

  it('lists nothing where there is nothing, and makes nothing', async () => {
    const list = await genenv('list');
    assert.deepEqual([list.code, list.out], [0, `No runs in ${workspace.runs}.\n`]);
    assert.deepEqual(JSON.parse((await genenv('list', '--json')).out), { runs: [] });
    assert.ok(!existsSync(join(workspace.dir, '.genenv')));
  });

  it('says what is wrong with an experiment file, all of it, by line', async () => {
    workspace.write(
      'bad.genenv.json',
      '{\n  "preset": "embedded",\n  "curriculum": { "alpha": 2 },\n  "epoch": 3\n}\n',
    );
    for (const command of ['validate', 'run']) {
      await refused(
        [command, 'bad.genenv.json'],
        /^bad\.genenv\.json:3:28: error: α \(curriculum\.alpha\) is 2, but must be a number greater than 0 and less than 1\./m,
        /^bad\.genenv\.json:4:3: error: Unknown field "epoch"\.\n {4}Did you mean "epochs"\?$/m,
        /^genenv: 2 errors in the input\.$/m,
      );
    }
    const { reason, problems } = errorOf(await refused(['validate', 'bad.genenv.json', '--json']));
    assert.equal(reason, 'bad-input');
    assert.deepEqual(
      problems?.map(({ file, line, field }) => [file, line, field]),
      [
        ['bad.genenv.json', 3, 'curriculum.alpha'],
        ['bad.genenv.json', 4, 'epoch'],
      ],
    );
    workspace.write('torn.genenv.json', '{\n  "preset": "embedded"\n  "epochs": 3\n');
    await refused(['run', 'torn.genenv.json'], /torn\.genenv\.json:2:23: error: Malformed JSON: a "," was expected/);
    await refused(['run', 'bda.genenv.json'], /no such file\.\n {4}Did you mean .*bad\.genenv\.json/);
  });

  it('says what contradicts itself', async () => {
    const contradictory = { ...tiny, curriculum: { kMin: 0.1, scope: 'task' }, rollouts: { group: 3 } };
    workspace.write('no-band.genenv.json', contradictory);
    await refused(
      ['run', 'no-band.genenv.json'],
      /no-band\.genenv\.json:\d+:\d+: error: No p̂ can lie in the band 0\.4–0\.6/,
    );
  });

  it('says what is wrong with the files an experiment names', async () => {
    workspace.write(
      'seeds.jsonl',
      '{"prompt": [{"role": "user", "content": "add rice"}], "evaluation": {"kind": "x"}}\nnot json\n',
    );
    workspace.write('seeds.genenv.json', { ...tiny, domain: { seeds: 'seeds.jsonl' } });
    workspace.write('empty.jsonl', '\n');
    workspace.write('offline.genenv.json', { ...tiny, mode: 'offline', generation: { offlineFile: 'empty.jsonl' } });
    workspace.write('weights.genenv.json', { ...tiny, endpoints: { agent: { weights: 'seeds.jsonl' } } });
    for (const command of ['validate', 'run']) {
      await refused(
        [command, 'seeds.genenv.json'],
        /seeds\.jsonl:1:1: error: gold is missing/,
        /seeds\.jsonl:2:1: error: Malformed JSON/,
      );
      await refused([command, 'offline.genenv.json'], /empty\.jsonl:1:1: error: The file is empty/);
      await refused(
        [command, 'weights.genenv.json'],
        /^weights\.genenv\.json:\d+:\d+: error: .*does not begin like a GenEnv weights/m,
      );
    }
  });

  it('tells a file that is not there where the experiment names it', async () => {
    for (const [i, settings] of [
      { domain: { seeds: 'none.jsonl' } },
      { reward: { file: 'none.reward.py' } },
      { curriculum: { reward: { kind: 'file', file: 'none.curriculum.ts' } } },
      { endpoints: { agent: { weights: 'none.bin' } } },
    ].entries()) {
      const file = `absent-${i}.genenv.json`;
      const text = JSON.stringify({ ...tiny, ...settings }, null, 2);
      workspace.write(file, text);
      const line = 1 + text.split('\n').findIndex((one) => one.includes('none.'));
      for (const command of ['validate', 'run'])
        await refused([command, file], new RegExp(`^${file}:${line}:\\d+: error: There is no file .*none\\.`, 'm'));
    }
  });

  it('tells a file that is not there at the --set that names it', async () => {
    // The file names others, which are not read.
    const settings = { domain: { seeds: 'other.jsonl' }, reward: { file: 'other.reward.py' } };
    workspace.write('named.genenv.json', { ...tiny, ...settings });
    const others = ['--set', 'domain.seeds=null', '--set', 'reward.file=null'];
    // An endpoint may hold a key: it is not repeated.
    const at = (set: string, fault: string): RegExp =>
      new RegExp(
        `^ *${set.replace(/endpoints={.*/, 'endpoints=…').replaceAll(/[{}]/g, String.raw`\$&`)}: error: ${fault}`,
        'm',
      );
    for (const [set, fault] of [
      ['domain.seeds=none.jsonl', 'There is no file .*none\\.jsonl'],
      ['reward.file=none.reward.py', 'There is no file .*none\\.reward\\.py'],
      ['reward.file=none.py', 'A reward file is named'],
      ['curriculum.reward={"kind":"file","file":"none.curriculum.ts"}', 'There is no file'],
      ['endpoints={"agent":{"weights":"none.bin"}}', 'There is no file .*none\\.bin'],
      ['endpoints.agent.weights=named.genenv.json', '.*does not begin like a GenEnv weights'],
      ['evaluation={"every":1,"adapter":"none.adapter.json"}', 'There is no file .*none\\.adapter\\.json'],
      ['evaluation={"every":1,"adapter":"nix"}', 'No adapter “nix” is shipped'],
    ] as const) {
      const given = ['named.genenv.json', ...others, '--set', set];
      await refused(['run', ...given], at(`--set ${set}`, fault));
      const checked = await genenv('check', ...given);
      assert.equal(checked.code, 2);
      assert.match(checked.out, at(`--set ${set}`, fault));
    }
    const set = 'reward.file=none.reward.py';
    for (const command of [['validate'], ['queue', 'add'], ['make-tasks', '--out', 'made.jsonl']])
      await refused([...command, 'named.genenv.json', ...others, '--set', set], at(`--set ${set}`, 'There is no file'));
  });

  it('says which tasks of a file are left out, before a run and when one begins', async () => {
    const { prompt, evaluation, gold } = new StorekeeperDomain({ baseTasks: 1 }).seeds('base')[0] ?? {};
    const lines = ['a', 'b'].map((id) => JSON.stringify({ id, prompt, evaluation, gold }));
    workspace.write('twice.jsonl', `${lines.join('\n')}\n`);
    workspace.write('twice.genenv.json', { ...tiny, domain: { seeds: 'twice.jsonl' } });
    const valid = await workspace.genenv('validate', 'twice.genenv.json');
    assert.equal(valid.code, 0, valid.err);
    assert.match(valid.out, /twice\.jsonl:2:\d+: warning: It is the same task as line 1, and is left out\./);
    const ran = await workspace.genenv('run', 'twice.genenv.json', '--plain');
    assert.equal(ran.code, 0, ran.err);
    const said = ran.err.split('\n').filter((line) => line.includes('twice.jsonl'));
    assert.equal(said.length, 1, ran.err);
    assert.match(said[0] ?? '', /twice\.jsonl:2: 1 of 2 tasks can be used\. Left out: 1 twice \(line 2\)\.$/);
  });

  it('validates a good file, with its warnings', async () => {
    workspace.write('good.genenv.json', tiny);
    const good = await genenv('validate', 'good.genenv.json');
    assert.deepEqual([good.code, good.err], [0, '']);
    assert.equal(good.out, 'good.genenv.json is valid: "tiny", mode coevolve, 2 epochs, preset "embedded".\n');
    const warned = await genenv('validate', 'good.genenv.json', '--set', 'curriculum.scope=epoch', '--json');
    assert.equal(warned.code, 0);
    const { valid, problems, experiment } = z
      .object({ valid: z.boolean(), problems: z.array(z.looseObject({})), experiment: z.looseObject({}) })
      .parse(JSON.parse(warned.out));
    assert.equal(valid, true);
    assert.deepEqual(
      problems.map(({ file, field, severity }) => [file, field, severity]),
      [['--set curriculum.scope=epoch', 'curriculum.scope', 'warning']],
    );
    assert.equal(experiment['epochs'], 2);
    await refused(['validate', 'good.genenv.json', '--set', 'seed=x'], /--set seed=x: error: seed is "x"/);
  });

  it('says what is wrong with a folder that is no run, and shows the rest', async () => {
    const other = new Workspace();
    try {
      mkdirSync(join(other.runs, '20260101-foreign'), { recursive: true });
      writeFileSync(join(other.runs, '20260101-foreign', 'run.json'), '{"v": 99}');
      const list = await other.genenv('list', '--json');
      assert.deepEqual([list.code, JSON.parse(list.out)], [0, { runs: [] }]);
      assert.match(list.err, /20260101-foreign/);
      for (const command of ['show', 'resume', 'report']) {
        const shown = await other.genenv(command, '20260101', '--json');
        assert.equal(shown.code, 2);
        assert.equal(errorOf(shown).reason, 'version');
      }
      assert.deepEqual(readdirSync(join(other.runs, '20260101-foreign')), ['run.json']);
    } finally {
      other.remove();
    }
  });
});
