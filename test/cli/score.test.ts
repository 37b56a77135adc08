import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cli } from '../support/built.ts';
import { ended, Workspace, type Ended } from '../support/genenv.ts';

describe('genenv score', () => {
  const workspace = new Workspace();
  after(() => workspace.remove());
  const genenv = (...args: string[]): Promise<Ended> => workspace.genenv('score', ...args);

  it('writes a verdict for each case, and tells what is none', async () => {
    workspace.write(
      'cases.jsonl',
      '{"id":1.0,"prediction":"The Eiffel Tower","gold":"eiffel tower"}\n\n{"id":"b"}\n{"gold":["x"],"prediction":"y"}\n',
    );
    const { code, out, err } = await genenv('bamboogle', '--in', 'cases.jsonl', '--out', 'verdicts.jsonl');
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.equal(
      err,
      'cases.jsonl:3: error: prediction: expected string, received undefined\n' +
        '1 of 3 cases without a verdict, which count as wrong: 1 of 3 right, 33.3 %; of those scored 50.0 %\n',
    );
    const [first, second, third, ...more] = readFileSync(join(workspace.dir, 'verdicts.jsonl'), 'utf8').split('\n');
    assert.equal(
      first,
      '{"id":1.0,"normalized_prediction":"eiffel tower","em":1,"sub_em":1,"f1":1,"precision":1,"recall":1}',
    );
    assert.match(second ?? '', /^\{"id":"b","error":"prediction: /);
    assert.match(third ?? '', /^\{"id":null,"normalized_prediction":"y","em":0/);
    assert.deepEqual(more, ['']);
  });

  it('tells equal errors once, with how often and where', async () => {
    const bad = Array.from({ length: 1498 }, (_, i) => JSON.stringify({ id: i, prediction: i, gold: 'x' }));
    workspace.write('many.jsonl', ['{"id":"a","prediction":"x","gold":"x"}', ...bad, 'nonsense'].join('\n'));
    const { code, out, err } = await genenv('bamboogle', '--in', 'many.jsonl');
    assert.equal(code, 2);
    assert.equal(out.trimEnd().split('\n').length, 1500);
    const [first, second, total, ...more] = err.split('\n');
    assert.match(first ?? '', /^many\.jsonl:2: error: prediction: .+ \(1,498 times: lines 2, 3, 4, …\)$/);
    assert.match(second ?? '', /^many\.jsonl:1500: error: this is not JSON/);
    assert.match(total ?? '', /^1,499 of 1,500 cases without .+: 1 of 1,500 right, 0\.1 %; of those scored 100\.0 %$/);
    assert.deepEqual(more, ['']);
  });

  it('plays many games of ALFWorld in one call', async () => {
    const game = readFileSync(new URL('../support/alfworld/potato.tw-pddl', import.meta.url), 'utf8');
    mkdirSync(join(workspace.dir, 'games', 'trial_b'), { recursive: true });
    workspace.write('games/a.tw-pddl', game);
    workspace.write('games/trial_b/game.tw-pddl', game.replaceAll('potato', 'turnip').replaceAll('Potato', 'Turnip'));
    const cases = ['a.tw-pddl', 'trial_b', 'none', 'a.tw-pddl'].map((name) => ({
      id: name,
      game: name,
      commands: ['look'],
    }));
    workspace.write('play.jsonl', [...cases, { id: 'no', commands: [] }].map((one) => JSON.stringify(one)).join('\n'));
    const { code, out, err } = await genenv('alfworld', '--games', 'games', '--in', 'play.jsonl');
    assert.equal(code, 2);
    const [a, b, none, again, unnamed] = out.trimEnd().split('\n');
    assert.match(a ?? '', /potato/);
    assert.match(b ?? '', /turnip/);
    assert.equal(again, a, 'under the same id the same');
    assert.match(none ?? '', /"error":"game: none does not exist"/);
    assert.match(unnamed ?? '', /"error":"game: is missing: name the game here, or one for all/);
    assert.match(err, /^play\.jsonl:3: error: game: none does not exist\nplay\.jsonl:5: error: game: is missing/);
    const usual = await genenv('alfworld', '--game', 'games/a.tw-pddl', '--in', 'play.jsonl', '--games', 'games');
    assert.match(usual.out.trimEnd().split('\n').at(-1) ?? '', /"id":"no","intro":/);
  });

  it('goes from standard input to standard output', async () => {
    const child = workspace.start(['score', 'api-bank', '--parse']);
    child.stdin?.end('{"id":[1],"text":"Now: [Add(time=\'5\')]"}');
    const { code, out, err } = await ended(child);
    assert.deepEqual([code, err], [0, '']);
    assert.equal(out, `{"id":[1],"call":"[Add(time='5')]","name":"Add","params":{"time":"5"}}\n`);
  });

  it('refuses what cannot be done, and writes nothing', async () => {
    workspace.write('cases.jsonl', '{}\n');
    const before = readdirSync(workspace.dir);
    for (const [args, said] of [
      [['bambogle'], /There is no benchmark "bambogle"\. Did you mean bamboogle\?/],
      [['bamboogle', '--rates'], /--rates is nothing that bamboogle knows\. It belongs to travelplanner\./],
      [['travelplanner', '--in', 'cases.jsonl'], /travelplanner needs --database DIR/],
      [['bamboogle', '--in', 'none.jsonl', '--out', 'new.jsonl'], /--in none\.jsonl does not exist/],
      [['bamboogle', '--in', 'cases.jsonl', '--out', 'no/new.jsonl'], /folder that does not exist/],
    ] as const) {
      const { code, out, err } = await genenv(...args);
      assert.deepEqual([code, out], [2, ''], err);
      assert.match(err, said);
    }
    assert.deepEqual(readdirSync(workspace.dir), before);
    assert.ok(!existsSync(join(workspace.dir, 'new.jsonl')));
  });

  it('loads one file beside its beginning, and no schemas, to judge BFCL', async () => {
    workspace.write('none.jsonl', '');
    const parts = readdirSync(new URL('cli/', pathToFileURL(cli))).filter((name) => name.endsWith('.cjs'));
    assert.ok(parts.length > 20, 'the command line is not in parts');
    // The whole program is loaded by the same Node, which tells each file that it comes from.
    const tell = `data:text/javascript,${encodeURIComponent(
      "import m from 'node:module';process.on('exit',()=>console.log(Object.keys(m._cache).map((f)=>f.split('/').at(-1)).join()))",
    )}`;
    const { code, out } = await ended(
      workspace.start(['score', 'bfcl', '--in', 'none.jsonl', '--out', 'x.jsonl'], {
        NODE_OPTIONS: `--import=${tell}`,
      }),
    );
    assert.deepEqual([code, out.trim()], [0, 'first.cjs']);
    assert.ok(!readFileSync(new URL('cli/first.cjs', pathToFileURL(cli)), 'utf8').includes('ZodType'));
  });

  it('ends when its reader has enough', async () => {
    workspace.write('many.jsonl', '{"prediction":"x","gold":"y"}\n'.repeat(100_000));
    const child = workspace.start(['score', 'bamboogle', '--in', 'many.jsonl']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const code = await new Promise((done) => child.once('exit', done));
    assert.equal(code, 0);
  });
});
