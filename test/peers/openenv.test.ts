/** Whole runs on servers of the real OpenEnv package, killed on their way: the run, and the server in the middle of episodes. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RealOpenenv } from '../support/openenv/realOpenenv.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { skip } from '../support/skip.ts';
import { ServedModels } from '../support/whole/servedModels.ts';
import { assertSame, lives, unansweredIn, WholeRun } from '../support/whole/wholeRun.ts';

/** The storekeeper's tasks, posed and rewarded by a server: an order may be answered twice. */
const shop = (url: string): string => `
export const openenv = { url: '${url}', sessions: 6 };
export const recipe = 'storekeeper';
export const parse = (text, { base }) =>
  'reject' in base
    ? base
    : { ...base, evaluation: { kind: 'domain' }, reset: { order: base.prompt.at(-1).content, gold: base.gold } };
export const observe = (_, { reward, task }) => (reward === null ? task.prompt : 'CALL');
export const act = (text) => ({ said: text.trim() });
`;

describe('runs on an OpenEnv server that are killed', function () {
  this.timeout(600_000);
  let python = '';
  let dir = '';
  let models: ServedModels | null = null;
  const servers: RealOpenenv[] = [];
  before(async function () {
    this.timeout(1_200_000);
    const found = await peerPython('openenv');
    if ('why' in found) skip(this, `OpenEnv cannot be installed: ${found.why}`);
    python = found.python;
    dir = await mkdtemp(join(tmpdir(), 'genenv-peers-openenv-'));
    models = await ServedModels.start(join(dir, 'served'));
  });
  after(async () => {
    await models?.stop();
    await rm(dir, { recursive: true, force: true });
  });
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  const served = (): ServedModels => models ?? assert.fail('they are not served');
  async function serve(port?: number): Promise<RealOpenenv> {
    const server = await RealOpenenv.start(python, 'shop', 6, port);
    servers.push(server);
    return server;
  }

  async function experiment(name: string, url: string): Promise<string> {
    const path = join(dir, `${name}.genenv.json`);
    await writeFile(join(dir, `${name}.domain.ts`), shop(url));
    const given = { ...served().experiment(`${name}.domain.ts`), rollouts: { group: 6, maxTurns: 3, maxTokens: 40 } };
    await writeFile(path, JSON.stringify(given));
    return path;
  }

  it('end as undisturbed ones, trained by the same losses', async () => {
    const { url } = await serve();
    const path = await experiment('whole', url);
    const whole = new WholeRun(path, join(dir, 'whole'));
    const before = await served().sampled();
    await whole.finish();
    const paid = (await served().sampled()) - before;
    const expected = await whole.left();
    assert.match(expected.journal, /"agent\.updated".*"loss":-?[\d.e-]+/);
    assert.match([...expected.traces.values()].join(''), /"reward":0\.\d/);

    const killed = new WholeRun(path, join(dir, 'killed'));
    const then = await served().sampled();
    for (const life of lives) await killed.kill(life);
    await killed.finish();
    assertSame(await killed.left(), expected);
    assert.equal((await served().sampled()) - then, paid, 'tokens that were sampled');
  });

  it('lose the episodes that were under way when the server died, and nothing else', async () => {
    const first = await serve();
    const path = await experiment('dying', first.url);
    const whole = new WholeRun(path, join(dir, 'dying-whole'));
    await whole.finish();
    const expected = await whole.left();
    assert.equal(unansweredIn(expected.journal), 0);

    const run = new WholeRun(path, join(dir, 'dying'));
    // The server goes in the middle of the first epoch's attempts, and the run in the middle of the second's.
    const back: Promise<RealOpenenv>[] = [];
    await run.kill((written) => {
      if (back.length === 0 && lives[1]?.(written) === true) {
        back.push(first.stop().then(() => serve(first.port)));
      }
      return lives[3]?.(written) === true;
    });
    await Promise.all(back);
    assert.equal(back.length, 1);
    await run.finish();
    const left = await run.left();
    const lost = unansweredIn(left.journal);
    assert(lost >= 1 && lost <= 6, `${lost} of at most 6 sessions were lost`);
    // Before the update that had fewer attempts to learn from everything else is the same.
    const ofFirst = [...expected.traces].filter(([id]) => id.startsWith('e1/'));
    const missing = ofFirst.filter(([id]) => !left.traces.has(id));
    assert.equal(missing.length, lost);
    for (const [id, text] of ofFirst) if (left.traces.has(id)) assert.equal(left.traces.get(id), text, id);
    assert.match(left.journal, /"run\.finished"/);
  });
});
