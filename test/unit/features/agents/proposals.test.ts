import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFiles } from '../../../../src/runs/files/fileOperations.ts';
import { Lease } from '../../../../src/runs/lease/lease.ts';
import { answerInTurn } from '../../../../src/features/agents/node/answerInTurn.ts';
import { longestProposal } from '../../../../src/features/agents/contract.ts';
import { AgentContext } from '../../../../src/features/agents/node/agentContext.ts';
import { ProposalFolder } from '../../../../src/features/agents/node/proposals.ts';
import { proposeChange } from '../../../../src/features/agents/node/tools/propose.ts';

const before = '{ "version": 1, "name": "mine", "preset": "embedded", "seed": 1 }\n';
const after = '{ "version": 1, "name": "mine", "preset": "embedded", "seed": 2 }\n';
const file = 'sub/mine.genenv.json';
const why = 'Another seed.';

describe('proposals', () => {
  let folder: string;
  let outside: string;
  let proposals: ProposalFolder;
  let now = 0;
  const path = (): string => join(folder, 'sub', 'mine.genenv.json');
  const propose = (over: Partial<Parameters<ProposalFolder['propose']>[0]> = {}) =>
    proposals.propose({ file, text: after, why, by: 'a test', ...over });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-proposals-'));
    outside = await mkdtemp(join(tmpdir(), 'genenv-outside-'));
    mkdirSync(join(folder, 'sub'));
    writeFileSync(path(), before);
    proposals = new ProposalFolder(folder, join(folder, '.genenv', 'runs'), { now: () => (now += 1000) });
  });
  afterEach(() => {
    for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true });
  });

  it('change nothing before a person accepts, and then that file alone', async () => {
    const { id, kind } = await propose();
    assert.equal(kind, 'experiment');
    assert.equal(readFileSync(path(), 'utf8'), before);
    assert.equal((await proposals.waiting(id)).text, after);
    await proposals.accept(id);
    assert.equal(readFileSync(path(), 'utf8'), after);
    assert.deepEqual(readdirSync(join(folder, 'sub')), ['mine.genenv.json']);
    const [answered] = (await proposals.all()).proposals;
    assert.deepEqual([answered?.answer, answered?.text, answered?.why], ['accepted', '', why]);
    await assert.rejects(proposals.accept(id), /waits no longer/);
  });

  it('are refused without a trace in the file', async () => {
    const { id } = await propose();
    await proposals.refuse(id);
    assert.equal(readFileSync(path(), 'utf8'), before);
    assert.equal((await proposals.all()).proposals[0]?.answer, 'refused');
  });

  it('are not applied where the file has changed, is gone, or has come since', async () => {
    const changed = await propose();
    writeFileSync(path(), `${before} `);
    await assert.rejects(proposals.accept(changed.id), /has changed since this was proposed.*Nothing was written/);
    assert.equal(readFileSync(path(), 'utf8'), `${before} `);
    rmSync(path());
    await assert.rejects(proposals.accept(changed.id), /is gone since/);
    assert.ok(!existsSync(path()));
    const fresh = await propose({ file: 'sub/fresh.genenv.json' });
    assert.equal(fresh.base, null);
    writeFileSync(join(folder, 'sub', 'fresh.genenv.json'), 'mine');
    await assert.rejects(proposals.accept(fresh.id), /There is a file/);
    assert.equal(readFileSync(join(folder, 'sub', 'fresh.genenv.json'), 'utf8'), 'mine');
    rmSync(join(folder, 'sub', 'fresh.genenv.json'));
    await proposals.accept(fresh.id);
    assert.equal(readFileSync(join(folder, 'sub', 'fresh.genenv.json'), 'utf8'), after);
  });

  it('wait for the answer of another process, and find the file as it left it', async () => {
    const { id } = await propose();
    const clock = { now: () => now };
    const log = { info: () => undefined, warn: () => undefined };
    const other = await Lease.take(join(proposals.dir, 'lease'), { clock, log, files: nodeFiles });
    const accepting = assert.rejects(proposals.accept(id), /has changed since this was proposed/);
    await sleep(200);
    assert.equal(readFileSync(path(), 'utf8'), before);
    writeFileSync(path(), `${before} `);
    await other.release();
    await accepting;
    await proposals.refuse(id);
    assert.deepEqual((await proposals.all()).damaged, []);
    assert.deepEqual(readdirSync(proposals.dir), [`${id}.json`]);
  });

  it('are answered another time where another process does not end', async () => {
    await propose();
    const clock = { now: () => now };
    const log = { info: () => undefined, warn: () => undefined };
    const other = await Lease.take(join(proposals.dir, 'lease'), { clock, log, files: nodeFiles });
    const [done, here] = [() => Promise.resolve(), proposals.dir];
    const answering = answerInTurn(here, clock, done, () => assert.fail(), done);
    await assert.rejects(
      answering,
      /Another window is answering a proposal\. Try again; if no other is open, remove .*lease/,
    );
    await other.release();
    assert.equal(await answerInTurn(here, clock, done, () => Promise.resolve('answered')), 'answered');
  });

  it('are applied one at a time, and one for the same file', async () => {
    for (let round = 0; round < 5; round++) {
      writeFileSync(path(), before);
      const text = (seed: number): string => before.replace('"seed": 1', `"seed": ${seed} `);
      const [first, second] = [await propose({ text: text(2) }), await propose({ text: text(3) })];
      const other = new ProposalFolder(folder, join(folder, '.genenv', 'runs'), { now: () => now });
      const [one, two, again] = await Promise.allSettled([
        proposals.accept(first.id),
        other.accept(second.id),
        proposals.accept(first.id),
      ]);
      assert.equal(one.status, 'fulfilled');
      assert.match(String(two.status === 'rejected' && two.reason), /has changed since this was proposed/);
      assert.match(String(again.status === 'rejected' && again.reason), /waits no longer/);
      assert.equal(readFileSync(path(), 'utf8'), text(2));
      await proposals.refuse(second.id);
    }
    assert.deepEqual(readdirSync(join(folder, 'sub')), ['mine.genenv.json']);
  });

  it('are not applied where bytes have changed that read alike', async () => {
    const reward = join(folder, 'sub', 'mine.reward.py');
    writeFileSync(reward, Buffer.from([0x23, 0xff, 0x0a]));
    const { id } = await propose({ file: 'sub/mine.reward.py', text: '#' });
    writeFileSync(reward, Buffer.from([0x23, 0xfe, 0x0a]));
    await assert.rejects(proposals.accept(id), /has changed since this was proposed/);
    const place = { folder, root: join(folder, '.genenv', 'runs'), dist: new URL('file:///'), mayAct: false };
    const log = { info: () => undefined, warn: () => undefined };
    const more = { scheme: 'vscode', version: 'test', by: 'a test', clock: { now: () => now }, log };
    const asked = { file: 'sub/mine.reward.py', replace: [{ old: '#', new: '##' }], why };
    const answer = proposeChange.answer(await AgentContext.open({ ...place, ...more }), asked);
    await assert.rejects(answer, /is not text in UTF-8.*Give its whole text/);
  });

  it('name plain files of the four kinds inside the folder alone', async () => {
    for (const wrong of ['package.json', 'x.ts', '.vscode/settings.json', 'sub/mine.genenv.json/'])
      await assert.rejects(propose({ file: wrong }), /cannot be proposed/, wrong);
    for (const wrong of [
      '../x.genenv.json',
      '/etc/x.genenv.json',
      'sub/../../x.genenv.json',
      '.genenv/runs/r/traces.jsonl',
      'node_modules/x.genenv.json',
      'sub\\x.genenv.json',
      'C:/x.genenv.json',
    ])
      await assert.rejects(propose({ file: wrong }), /must be a path from the workspace folder/, wrong);
    symlinkSync(outside, join(folder, 'out'));
    await assert.rejects(propose({ file: 'out/x.genenv.json' }), /leads out of the folder/);
    symlinkSync(join(folder, 'sub', 'mine.genenv.json'), join(folder, 'sub', 'link.genenv.json'));
    await assert.rejects(propose({ file: 'sub/link.genenv.json' }), /is a link or a folder/);
    await assert.rejects(propose({ file: 'none/x.genenv.json' }), /folder of “none\/x\.genenv\.json” is not there/);
    assert.deepEqual(readdirSync(outside), []);
  });

  it('are of no file of a run, an evaluation or a folder of runs', async () => {
    const [runs, away, own] = ['runs', 'away', 'mine'].map((name) => join(folder, name, 'r'));
    for (const dir of [runs, away, own]) mkdirSync(String(dir), { recursive: true });
    for (const dir of [runs, away]) writeFileSync(join(String(dir), 'run.json'), '{}');
    for (const name of ['manifest.json', 'answers.jsonl']) writeFileSync(join(String(own), name), '{}');
    symlinkSync(join(folder, 'runs'), join(folder, 'linked'));
    const text = `${JSON.stringify({ id: 'x', prompt: 'a', evaluation: { kind: 'exact', answer: 'b' } })}\n`;
    const visible = new ProposalFolder(folder, join(folder, 'runs'), { now: () => 1 });
    const name = (one: string): Promise<unknown> => visible.propose({ file: one, text, why, by: 'a test' });
    for (const one of ['runs/r/traces.jsonl', 'runs/r/mine.jsonl', 'runs/new.jsonl', 'linked/r/mine.jsonl'])
      await assert.rejects(name(one), /lies in the folder of runs/, one);
    await assert.rejects(name('away/r/journal.jsonl'), /one of the files that a run consists of/);
    await assert.rejects(name('mine/r/answers.jsonl'), /one of the files that an evaluation consists of/);
    const { id } = await visible.propose({ file, text: after, why, by: 'a test' });
    const kept = join(visible.dir, `${id}.json`);
    writeFileSync(kept, readFileSync(kept, 'utf8').replace(file, 'runs/r/x.genenv.json'));
    await assert.rejects(visible.accept(id), /lies in the folder of runs/);
    assert.deepEqual(readdirSync(join(folder, 'runs', 'r')), ['run.json']);
    // A workspace inside of its folder of runs keeps its files.
    const sub = join(folder, 'sub');
    await new ProposalFolder(sub, sub, { now: () => 1 }).propose({
      file: 'mine.genenv.json',
      text: after,
      why,
      by: 'a',
    });
  });

  it('are checked as what they would be, and bounded', async () => {
    await assert.rejects(
      propose({ text: '{ "version": 1, "seeed": 2 }' }),
      /no experiment file: line 1.*Did you mean “?"?seed/,
    );
    await assert.rejects(propose({ file: 'sub/a.study.json', text: '{}' }), /no study file/);
    await assert.rejects(propose({ file: 'sub/seeds.jsonl', text: '{"id": 3}\n' }), /no tasks file: line 1/);
    await assert.rejects(propose({ file: 'sub/a.reward.ts', text: 'x'.repeat(longestProposal + 1) }), /are the most/);
    for (let i = 0; i < 50; i++) await propose();
    await assert.rejects(propose(), /50 proposals wait already/);
  });

  it('that were tampered with are told, not applied', async () => {
    const { id } = await propose();
    const own = join(proposals.dir, `${id}.json`);
    const good = readFileSync(own, 'utf8');
    for (const [from, to] of [
      ['"sub/mine.genenv.json"', '"../escape.genenv.json"'],
      ['"sub/mine.genenv.json"', '".git/hooks/x.genenv.json"'],
    ] as const) {
      writeFileSync(own, good.replace(from, to));
      await assert.rejects(proposals.accept(id), /must be a path from the workspace folder/);
    }
    writeFileSync(own, '{');
    assert.equal((await proposals.all()).damaged.length, 1);
    rmSync(proposals.dir, { recursive: true });
    symlinkSync(outside, proposals.dir);
    await assert.rejects(propose(), /is no folder of its own/);
    assert.deepEqual(readdirSync(outside), []);
  });
});
