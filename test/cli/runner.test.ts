import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { queueEventSchema, type QueueEvent } from '../../src/features/runner/contract.ts';
import { ended, Workspace } from '../support/genenv.ts';
import { listOf, untilListed, type QueueList } from '../support/queueList.ts';
import { timeless, tiny } from '../support/tiny.ts';

const longer = { ...tiny, name: 'longer', epochs: 2 };

describe('genenv runner', () => {
  let workspace: Workspace;
  const file = () => join(workspace.runs, '.runner', 'queue.jsonl');
  const events = (): QueueEvent[] =>
    readFileSync(file(), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => queueEventSchema.parse(JSON.parse(line)));
  const list = () => listOf(workspace);
  const until = (fits: (list: QueueList) => boolean) => untilListed(workspace, fits);
  const add = async (...words: string[]): Promise<string> => {
    const { out, err, code } = await workspace.genenv('queue', 'add', ...words, '--json');
    assert.equal(code, 0, err);
    return z.object({ added: z.array(z.string()) }).parse(JSON.parse(out)).added[0] ?? '';
  };
  const journal = (id: string): unknown[] => timeless(readFileSync(join(workspace.runs, id, 'journal.jsonl'), 'utf8'));

  beforeEach(() => {
    workspace = new Workspace();
    workspace.write('longer.genenv.json', longer);
  });
  afterEach(async () => {
    await workspace.genenv('runner', 'stop');
    workspace.remove();
  });

  it('goes on after SIGKILL with the run in hand, which ends as an undisturbed one does', async () => {
    const first = await add('longer.genenv.json');
    const second = await add('longer.genenv.json', '--set', 'seed=4', '--after', first);
    let kills = 0;
    for (; kills < 2; kills++) {
      assert.equal((await workspace.genenv('runner', 'start')).code, 0);
      const { runner } = await until(({ queue }) => queue.some(({ state }) => state === 'running'));
      await sleep(300 + 500 * kills);
      assert.ok(runner);
      process.kill(runner.pid, 'SIGKILL');
      await until(({ runner }) => runner === null);
    }
    assert.equal((await workspace.genenv('runner', 'start', '--until-empty')).code, 0);
    const { queue } = await until((now) => now.queue.every(({ state }) => state === 'finished'));
    assert.deepEqual(queue.map(({ run }) => run).toSorted(), [first, second].toSorted());
    assert.equal(events().filter(({ type }) => type === 'opened').length, kills + 1);
    const order = events().flatMap((event) => (event.type === 'ended' || event.type === 'started' ? [event.run] : []));
    assert.equal(order.lastIndexOf(first) < order.indexOf(second), true, order.join(' '));
    const { code } = await workspace.genenv('run', 'longer.genenv.json');
    assert.equal(code, 0);
    const alone = readdirSync(workspace.runs).find((id) => ![first, second, '.runner'].includes(id)) ?? '';
    assert.deepEqual(journal(first), journal(alone));
  });

  it('loses no other run to a child that is killed, and tries that one again', async () => {
    const first = await add('longer.genenv.json', '--retries', '1');
    const second = await add('longer.genenv.json', '--set', 'epochs=1');
    assert.equal((await workspace.genenv('runner', 'start')).code, 0);
    const child = await until(({ queue }) => queue.some(({ run, state }) => run === first && state === 'running'));
    assert.ok(child.runner);
    const lease = join(workspace.runs, first, 'lease');
    const holder = z.object({ pid: z.int() });
    let pid = 0;
    while (pid === 0) {
      try {
        pid = holder.parse(JSON.parse(readFileSync(lease, 'utf8'))).pid;
      } catch {
        await sleep(20);
      }
    }
    process.kill(pid, 'SIGKILL');
    await until(({ queue }) => queue.every(({ state }) => state === 'finished'));
    const delayed = events().filter((event) => event.type === 'delayed');
    assert.deepEqual(
      delayed.map(({ run, delay, why }) => [run, delay, why]),
      [[first, 'failure', 'Its process ended by SIGKILL.']],
    );
    assert.ok(events().some((event) => event.type === 'ended' && event.run === second));
  });

  it('is one a folder: the second says who holds it and ends with 2', async () => {
    await add('longer.genenv.json', '--set', 'epochs=1');
    assert.equal((await workspace.genenv('runner', 'start')).code, 0);
    const { code, err } = await workspace.genenv('runner');
    assert.equal(code, 2);
    assert.match(err, /A runner works on .* already: process \d+ on this machine.* stop it with “genenv runner stop”/);
    const stopped = await workspace.genenv('runner', 'stop');
    assert.match(stopped.out, /^Stopped\. What ran waits in the queue/);
    assert.equal(events().at(-1)?.type, 'closed');
    assert.match((await workspace.genenv('runner', 'stop')).out, /^No runner works on /);
  });

  it('keeps a run waiting whose key it does not have, with a sentence and without the key', async () => {
    const endpoint = {
      kind: 'tinker',
      url: 'http://127.0.0.1:9/v1',
      key: '${env:GENENV_TEST_KEY}',
      model: 'm',
      rank: 0,
    };
    workspace.write('remote.genenv.json', {
      ...{ version: 1, name: 'remote', preset: 'embedded', endpoints: { agent: endpoint, environment: endpoint } },
    });
    const remote = await add('remote.genenv.json');
    const here = await add('longer.genenv.json', '--set', 'epochs=1');
    assert.equal((await workspace.genenv('runner', 'start')).code, 0);
    const { queue } = await until((now) => now.queue.some(({ run, state }) => run === here && state === 'finished'));
    const waiting = queue.find(({ run }) => run === remote);
    assert.ok(waiting);
    assert.equal(waiting.state, 'waiting');
    assert.match(waiting.why, /The runner lacks what this run’s endpoint needs\. .*GENENV_TEST_KEY/);
  });

  it('works where the machine has no file watchers left', async () => {
    const refuse =
      "require('fs').watch = () => { throw Object.assign(new Error('System limit reached'), { code: 'ENOSPC' }) };";
    workspace.write('none.cjs', `${refuse} require('module').syncBuiltinESMExports();`);
    const env = { NODE_OPTIONS: `--require ${join(workspace.dir, 'none.cjs')}` };
    const run = await add('longer.genenv.json', '--set', 'epochs=1');
    const runner = ended(workspace.start(['runner'], env));
    await until(({ queue }) => queue.some((one) => one.run === run && one.state === 'finished'));
    const other = await add('longer.genenv.json', '--set', 'epochs=1');
    await until(({ queue }) => queue.some((one) => one.run === other && one.state === 'finished'));
    assert.equal((await workspace.genenv('runner', 'stop')).code, 0);
    const { code, err } = await runner;
    assert.equal(code, 0, err);
    assert.match(err, /The inbox is read once a second, because its folder cannot be watched: System limit reached/);
  });

  it('refuses a queue of another version, and one that was edited by hand, and touches neither', async () => {
    await add('longer.genenv.json', '--set', 'epochs=1');
    assert.equal((await workspace.genenv('runner', '--until-empty')).code, 0);
    const whole = readFileSync(file(), 'utf8');
    for (const [line, says] of [
      ['{"v":7,"at":1,"type":"opened"}', /field "v": format version 7, and this release reads version 1/],
      ['{"v":1,"at":1,"type":"started","run":"../out"}', /queue\.jsonl:\d+: field "run": /],
    ] as const) {
      writeFileSync(file(), whole);
      appendFileSync(file(), `${line}\n`);
      const { code, err } = await workspace.genenv('runner');
      assert.equal(code, 2, err);
      assert.match(err, says);
      assert.equal(readFileSync(file(), 'utf8'), `${whole}${line}\n`);
    }
    // A crash may tear the last line: that is cut.
    writeFileSync(file(), `${whole}{"v":1,"at":1,"ty`);
    assert.equal((await workspace.genenv('runner', '--until-empty')).code, 0);
  });

  it('refuses bad input before anything is made', async () => {
    for (const [words, says] of [
      [['queue', 'add'], /needs to know which/],
      [['queue', 'add', 'longer.genenv.json', '--priority', 'high'], /--priority wants a whole number/],
      [['queue', 'add', 'longer.genenv.json', '--after', 'x'], /there is no run "x"/],
      [['queue', 'add', 'longer.genenv.json', 'gone.genenv.json'], /There is no such file/],
      [['queue', 'move', 'x', 'sideways'], /needs a run and where to/],
      [['queue', 'shuffle'], /does not know "shuffle"/],
      [['runner', 'restart'], /does not know "restart"/],
      [['runner', 'execute'], /does not know "execute"/],
      [['runner', '--limit', 'gpu'], /--limit wants URL=N/],
    ] as const) {
      const { code, err } = await workspace.genenv(...words);
      assert.equal(code, 2, words.join(' '));
      assert.match(err, says);
    }
    assert.deepEqual((await list()).queue, []);
  });
});
