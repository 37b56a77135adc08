import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cli, ended, Workspace, type Ended } from '../support/genenv.ts';

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
    assert.match(err, /^cases\.jsonl:3: error: prediction: expected string, received undefined\n$/);
    const [first, second, third, ...more] = readFileSync(join(workspace.dir, 'verdicts.jsonl'), 'utf8').split('\n');
    assert.equal(
      first,
      '{"id":1.0,"normalized_prediction":"eiffel tower","em":1,"sub_em":1,"f1":1,"precision":1,"recall":1}',
    );
    assert.match(second ?? '', /^\{"id":"b","error":"prediction: /);
    assert.match(third ?? '', /^\{"id":null,"normalized_prediction":"y","em":0/);
    assert.deepEqual(more, ['']);
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
