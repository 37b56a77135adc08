/** Numbers of Python domains that JavaScript would round, or write differently. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDomainTrial, soloExperiment } from '../../../src/features/domains/node/openTrial.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { dist } from '../../support/built.ts';
import { skip } from '../../support/skip.ts';

const rest = `
def environmentPrompt(context): return "Write a sum."
def parse(text, given):
    return {"prompt": text, "gold": 10**20 + 7, **({"evaluation": {"kind": "domain", "n": 10**20 + 7}} if "n" in text else {})}
`;

/** A start whose numbers are no doubles, or are written differently by JavaScript; each turn says whether they are the same. */
const episodes = `
def seeds(split): return [{"prompt": "1", "gold": "1"}]
START = {"seed": 2**63 + 12345, "of": [-(2**64), 10**18, 7], "share": 5.0, "large": 3.843071682022823e+17, "zero": -0.0, "small": 1e-07}
def reset(task): return {"say": repr(START), "state": START}
def step(task, state, action): return {"say": repr(state), "state": state}
${rest}`;

const golds = `
def seeds(split):
    return [{"prompt": str(g), "gold": g, "difficulty": {"size": g}} for g in [12345678901234567891, -(2**53) - 1, 10**18, 2**53, 5.0, 0.5, 7]]
def judge(task, trace): return {"success": True, "reward": 1, "parts": {"seen": 2**60, "share": 1.0}}
${rest}`;

describe('whole numbers beyond 2^53', () => {
  let dir = '';
  before(async function () {
    if (spawnSync('python3', ['--version']).status !== 0) skip(this, 'there is no python3');
    dir = await mkdtemp(join(tmpdir(), 'genenv-long-'));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  async function opened(name: string, text: string) {
    const file = join(dir, name);
    await writeFile(file, text);
    return openDomainTrial(soloExperiment(file), dir, dist);
  }

  it('are golds with all digits', async () => {
    const trial = await opened('golds.domain.py', golds);
    const { base, domain } = trial;
    try {
      assert.deepEqual(
        base.map(({ gold }) => gold),
        ['12345678901234567891', '-9007199254740993', '1000000000000000000', '9007199254740992', '5', '0.5', '7'],
      );
      assert.deepEqual(base[4]?.complexity, { size: 5 });
      const [seed] = base;
      assert.ok(seed !== undefined);
      const parsed = await domain.parseTask('4 + 4', '', seed);
      assert.equal(parsed.ok && parsed.draft.gold, '100000000000000000007');
      const verdict = await domain.judge?.judge(seed, attempt(seed));
      assert.deepEqual(verdict?.parts, { seen: 2 ** 60, share: 1 });
    } finally {
      trial.close();
    }
  });

  it('are refused where they would be rounded', async () => {
    const trial = await opened('golds.domain.py', golds);
    const { base, domain } = trial;
    try {
      const [seed] = base;
      assert.ok(seed !== undefined);
      assert.deepEqual(await domain.parseTask('n', '', seed), {
        ...{ ok: false, cause: 'unparseable' },
        note: '“evaluation.n” is 100000000000000000007; whole numbers beyond 2^53 are rounded, so give it as a text',
      });
    } finally {
      trial.close();
    }
    const file = join(dir, 'floats.domain.py');
    await writeFile(file, `def seeds(split): return [{"prompt": "1", "gold": 2.0**60}]\n${rest}`);
    await assert.rejects(
      openDomainTrial(soloExperiment(file), dir, dist),
      (error) => error instanceof InputError && /“0\.gold” is 1152921504606847000; whole/.test(error.message),
    );
  });

  it('come back in an episode’s state as they were given, with all other numbers', async () => {
    const trial = await opened('episodes.domain.py', episodes);
    const { base, domain } = trial;
    try {
      const [seed] = base;
      assert.ok(seed !== undefined);
      const episode = domain.environment(seed);
      assert.ok(episode !== null);
      const said = [await episode.reset(seed), await episode.step('a'), await episode.step('b')];
      const start =
        "{'seed': 9223372036854788153, 'of': [-18446744073709551616, 1000000000000000000, 7], 'share': 5.0, " +
        "'large': 3.843071682022823e+17, 'zero': -0.0, 'small': 1e-07}";
      assert.deepEqual(
        said.map(({ messages }) => messages.map(({ content }) => content)),
        [[start], [start], [start]],
      );
    } finally {
      trial.close();
    }
  });
});

const attempt = ({ id, family }: Task) => ({
  ...{ v: 1 as const, id: 'a', purpose: 'train' as const, task: id, family, epoch: 0, version: 'agent@0' },
  ...{ messages: [], sequences: [], stopReason: 'stop' as const },
});
