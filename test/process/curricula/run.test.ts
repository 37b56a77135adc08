/** Runs whose environment is rewarded by a file: the same from its copy and after a kill, and every way in which it can fail. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { curriculumCases, curriculumTemplates } from '../../../src/features/curricula/host/curriculumTemplates.ts';
import { changedPrograms } from '../../../src/launch/inputs/changedPrograms.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { curriculumCases as runCases, loadCurriculum, openCurriculum } from '../../../src/launch/scoring/curriculum.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { eventSchema, type EventOf } from '../../../src/shared/journal/events.ts';
import { givenOf } from '../../../src/shared/curricula/cases.ts';
import { dist } from '../../support/built.ts';
import { launchHere, type LaunchOptions } from '../../support/launchHere.ts';
import { recompute } from '../../support/runs/recompute.ts';
import { timeless, tiny } from '../../support/tiny.ts';

const learnability = `export function rewards(families) {
  return families.map(({ tasks }) => tasks.map(({ attempts }) => {
    const judged = attempts.filter(({ success }) => success !== null);
    const p = judged.filter(({ success }) => success).length / judged.length;
    return judged.length === 0 ? null : p * (1 - p);
  }));
}
`;

/** One family of 1 success of 2. */
const asked = givenOf({
  ...{ v: 1, note: '', epoch: {}, expected: [], tolerance: 0 },
  families: [{ seed: null, plan: '', tasks: [{ attempts: '10' }] }],
});

describe('a run that a curriculum file rewards', function () {
  this.timeout(240_000);
  let dir = '';

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-curriculum-'));
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  function experiment(reward: object, seconds = 10): Experiment {
    const small = { ...tiny, epochs: 2, reward: { seconds }, validation: { every: 0 } };
    const curriculum = { ...small.curriculum, scope: 'task', filter: 'off', reward };
    const parsed = parseExperiment(JSON.stringify({ ...small, curriculum }), 'mine.genenv.json');
    if ('problems' in parsed) throw new InputError(parsed.problems);
    return parsed.experiment;
  }

  const byFile = (file: string, seconds?: number): Experiment => experiment({ kind: 'file', file }, seconds);

  async function run(root: string, start: Parameters<typeof launchHere>[1], options: LaunchOptions = {}) {
    const here = { root: join(dir, root), notes: [] };
    const landing = await launchHere(here, start, { dist, ...options });
    const folder = join(here.root, landing.id);
    const text = await readFile(join(folder, 'journal.jsonl'), 'utf8');
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => eventSchema.parse(JSON.parse(line)));
    return { landing, folder, events, text };
  }

  const scoredIn = (events: Awaited<ReturnType<typeof run>>['events']): EventOf<'families.scored'>[] =>
    events.filter((event) => event.type === 'families.scored');

  it('is rewarded as by the kind that computes the same, and goes on from its own copy', async () => {
    await writeFile(join(dir, 'mine.curriculum.ts'), learnability);
    const own = await run('own', { experiment: byFile('mine.curriculum.ts'), directory: dir });
    assert.equal(own.landing.state, 'finished', own.landing.error?.message ?? '');
    const theirs = await run('theirs', { experiment: experiment({ kind: 'learnability' }), directory: dir });
    const numbers = (one: typeof own) =>
      scoredIn(one.events).map(({ families }) =>
        families.map(({ tasks, environmentReward }) => [
          environmentReward,
          tasks.map((task) => [task.id, task.successes, task.environmentReward, task.weight]),
        ]),
      );
    assert.deepEqual(numbers(own), numbers(theirs));
    assert.ok(
      scoredIn(own.events).some(({ families }) =>
        families.some(({ tasks }) => tasks.some((task) => (task.signal ?? 0) > 0)),
      ),
    );
    const kept: unknown = JSON.parse(await readFile(join(own.folder, 'inputs', 'curriculum.json'), 'utf8'));
    assert.match(JSON.stringify(kept), /"file":"mine.curriculum.ts","files":\{"mine.curriculum.ts":"[0-9a-f]{64}"\}/);

    // Stopped before its scoring, it continues from its copy though the file is gone.
    const boundary = new AbortController();
    const broken = await run(
      'broken',
      { experiment: byFile('mine.curriculum.ts'), directory: dir },
      {
        boundary: boundary.signal,
        onEvent: ({ type }) => {
          if (type === 'tasks.generated') boundary.abort();
        },
      },
    );
    assert.equal(broken.landing.state, 'paused', broken.landing.error?.message ?? '');
    await rm(join(dir, 'mine.curriculum.ts'));
    const settings = {
      experiment: byFile('mine.curriculum.ts'),
      source: relative(broken.folder, join(dir, 'an.genenv.json')),
    };
    assert.deepEqual(await changedPrograms(broken.folder, settings), [
      'mine.curriculum.ts changed after this run began. The run continues with its own copy in inputs/curriculum. To use the new version, start a new run.',
    ]);
    const resumed = await run('broken', { resume: broken.landing.id });
    assert.equal(resumed.landing.state, 'finished', resumed.landing.error?.message ?? '');
    assert.deepEqual(timeless(resumed.text), timeless(own.text));
  });

  it('ends when the file gives none, says where and why, and scores nothing', async () => {
    const bad = learnability.replace('p * (1 - p)', '(p > 2 ? 0 : NaN)');
    await writeFile(join(dir, 'bad.curriculum.js'), bad);
    const { landing, events } = await run('bad', { experiment: byFile('bad.curriculum.js'), directory: dir });
    assert.equal(landing.state, 'failed');
    assert.match(
      landing.error?.message ?? '',
      /^The curriculum file bad\.curriculum\.js gave no rewards: it gave NaN for task .*; a reward is a number.*\. Correct the file, then resume the run\.$/,
    );
    assert.deepEqual(scoredIn(events), []);
  });

  describe('that failed by its curriculum', () => {
    const broken = learnability
      .replace('(families)', '(families, { epoch })')
      .replace('p * (1 - p)', '(epoch > 1 ? NaN : p * (1 - p))');
    const changesIn = (events: Awaited<ReturnType<typeof run>>['events']) =>
      events.filter((event) => event.type === 'settings.changed');
    const otherwise = (text: string): unknown[] =>
      timeless(
        text
          .split('\n')
          .filter((line) => !line.includes('"type":"settings.changed"'))
          .join('\n')
          .replaceAll(/"seq":\d+/g, '"seq":0'),
      );
    const traces = (folder: string): Promise<string> => readFile(join(folder, 'traces.jsonl'), 'utf8');

    it('continues with the corrected file, samples nothing again, and ends as if it had been right', async () => {
      const file = join(dir, 'mine.curriculum.js');
      await writeFile(file, learnability);
      const right = await run('right', { experiment: byFile('mine.curriculum.js'), directory: dir });
      await writeFile(file, broken);
      const source = join(dir, 'mine.genenv.json');
      const began = { experiment: byFile('mine.curriculum.js'), directory: dir, file: source };
      await writeFile(source, JSON.stringify(began.experiment));
      const failed = await run('wrong', began);
      assert.equal(failed.landing.state, 'failed');
      assert.deepEqual(scoredIn(failed.events).map(({ epoch }) => epoch), [1]); // prettier-ignore
      const attempted = await traces(failed.folder);

      // Another version that fails, after which the process is killed before its copy is there.
      await writeFile(file, `${broken}// again\n`);
      const again = await run('wrong', { resume: failed.landing.id });
      assert.match(again.landing.error?.message ?? '', /it gave NaN/);
      const inputs = join(failed.folder, 'inputs');
      for (const name of ['curriculum', 'curriculum.json'])
        await cp(join(inputs, 'earlier', 'beforeEpoch2', name), join(inputs, name), { recursive: true });
      await rm(file);
      const without = await run('wrong', { resume: failed.landing.id });
      assert.match(without.landing.error?.message ?? '', /There is no file .*mine\.curriculum\.js/);

      await writeFile(file, learnability);
      const resumed = await run('wrong', { resume: failed.landing.id });
      assert.equal(resumed.landing.state, 'finished', resumed.landing.error?.message ?? '');
      assert.equal(await traces(failed.folder), attempted);
      assert.deepEqual(otherwise(resumed.text), otherwise(right.text));
      assert.deepEqual(
        changesIn(resumed.events).map(({ epoch, changes, curriculumFiles }) => [
          epoch,
          changes,
          Object.keys(curriculumFiles ?? {}),
        ]),
        Array.from({ length: 2 }, () => [
          2,
          [{ field: 'curriculum.reward.file', from: 'mine.curriculum.js', to: 'mine.curriculum.js' }],
          ['mine.curriculum.js'],
        ]),
      );
      assert.equal(await readFile(join(inputs, 'curriculum', 'mine.curriculum.js'), 'utf8'), learnability);
      assert.equal(
        await readFile(join(inputs, 'earlier', 'beforeEpoch2', 'curriculum', 'mine.curriculum.js'), 'utf8'),
        broken,
      );
      if (spawnSync('python3', ['--version']).status !== 0) return;
      const { code, said } = recompute(failed.folder);
      assert.equal(code, 0, said);
    });

    it('continues with larger limits of its experiment’s file', async () => {
      const file = join(dir, 'slow.curriculum.js');
      await writeFile(file, learnability.replace('{', '{\n  for (const end = Date.now() + 1500; Date.now() < end; );'));
      const source = join(dir, 'mine.genenv.json');
      await writeFile(source, JSON.stringify(byFile('slow.curriculum.js', 1)));
      const failed = await run('slow', { experiment: byFile('slow.curriculum.js', 1), directory: dir, file: source });
      assert.match(failed.landing.error?.message ?? '', /There is no result after 1 s/);
      await writeFile(source, JSON.stringify(byFile('slow.curriculum.js', 60)));
      const resumed = await run('slow', { resume: failed.landing.id });
      assert.equal(resumed.landing.state, 'finished', resumed.landing.error?.message ?? '');
      assert.deepEqual(
        changesIn(resumed.events).map(({ epoch, changes }) => [epoch, changes]),
        [[1, [{ field: 'reward.seconds', from: 1, to: 60 }]]],
      );
    });
  });

  const failures: [name: string, file: string, text: string, message: RegExp][] = [
    ['throws', 'a.curriculum.ts', 'export function rewards() {\n  throw new Error("not today");\n}', /not today \(.*a\.curriculum\.ts:2:9\)/],
    ['hangs', 'b.curriculum.ts', 'export function rewards() {\n  for (;;);\n}', /There is no result after 1 s\. Make the file faster, or raise reward\.seconds/],
    ['is too short', 'c.curriculum.ts', 'export const rewards = () => [];', /it gave 0 rewards for 1 families/],
    ['ends its process', 'd.curriculum.ts', 'export const rewards = () => process.exit(3);', /ended its process \(exit code 3\)/],
    ['asks the network', 'e.curriculum.ts', 'import { connect } from "node:net";\nexport const rewards = () => [connect(80)];', /e\.curriculum\.ts:2/],
    ['gives NaN', 'f.curriculum.py', 'def rewards(families, epoch):\n    return [float("nan") for family in families]', /it gave nan for family family1/],
    ['raises', 'g.curriculum.py', 'def rewards(families, epoch):\n    return [1 / 0]', /ZeroDivisionError.*g\.curriculum\.py:2/],
  ]; // prettier-ignore
  for (const [name, file, text, message] of failures) {
    it(`is told with its place and remedy: it ${name}`, async () => {
      await writeFile(join(dir, file), text);
      const host = await openCurriculum({ reward: { ...presets.default.reward, seconds: 1 } }, join(dir, file), dist);
      try {
        await assert.rejects(host.rewards(asked.families, asked.epoch), (error) => {
          assert.ok(
            error instanceof Error && error.message.startsWith(`The curriculum file ${file} gave no rewards: `),
          );
          assert.match(error.message, message);
          return true;
        });
      } finally {
        host.dispose();
      }
    });
  }

  it('reads an epoch of 33 MB in its time', async () => {
    const file = join(dir, 'large.curriculum.js');
    await writeFile(file, 'exports.rewards = (families) => families.map(({ successes }) => successes);\n');
    const answer = 'x'.repeat(16_000);
    const families = Array.from({ length: 64 }, (_, i) =>
      asked.families.map((family) => ({
        ...family,
        id: `family${i}`,
        tasks: family.tasks.flatMap((task) =>
          Array.from({ length: 4 }, (__, j) => ({
            ...task,
            id: `task${i}.${j}`,
            attempts: task.attempts.flatMap((attempt) => Array.from({ length: 16 }, () => ({ ...attempt, answer }))),
          })),
        ),
      })),
    ).flat();
    const host = await openCurriculum(byFile(file), file, dist);
    try {
      assert.equal((await host.rewards(families, asked.epoch)).size, 256);
    } finally {
      host.dispose();
    }
  });

  it('says that a request is too long for a text', async () => {
    const file = join(dir, 'one.curriculum.js');
    await writeFile(file, 'exports.rewards = () => [0];\n');
    const host = await openCurriculum(byFile(file), file, dist);
    const tooLong = {
      toJSON: () => {
        throw new RangeError('Invalid string length');
      },
    };
    try {
      const [family] = asked.families;
      assert.ok(family !== undefined);
      const outcome = await host.ask([{ ...family, ...tooLong }], asked.epoch);
      assert.match('fault' in outcome ? outcome.fault.message : '', /^The request is longer than 500 MB\.$/);
      assert.ok('rewards' in (await host.ask(asked.families, asked.epoch)));
    } finally {
      host.dispose();
    }
  });

  it('is refused before it begins: no function, a broken file, a wrong case', async () => {
    const refused = async (file: string, message: RegExp): Promise<void> => {
      await assert.rejects(loadCurriculum(byFile(file), dir, dist), (error) => {
        assert.ok(error instanceof InputError);
        assert.match(
          error.problems.map((one) => `${one.file}:${one.line} ${one.message} ${one.remedy}`).join('\n'),
          message,
        );
        return true;
      });
    };
    await writeFile(join(dir, 'none.curriculum.ts'), 'export const reward = 1;\n');
    await refused('none.curriculum.ts', /exports no function “rewards”/);
    await writeFile(join(dir, 'broken.curriculum.ts'), 'export const rewards = () => [;\n');
    await refused('broken.curriculum.ts', /broken\.curriculum\.ts:1/);
    await writeFile(join(dir, 'mine.curriculum.ts'), learnability);
    await writeFile(
      join(dir, 'mine.curriculum.cases.jsonl'),
      '{"v":1,"note":"half","families":[{"tasks":[{"attempts":"10"}]}],"expected":[1]}\n',
    );
    await refused(
      'mine.curriculum.ts',
      /cases\.jsonl:1 .*“half” expects: \[1\] is expected, and it gave \[\[0\.25\]\]/,
    );
    assert.throws(() => experiment({ kind: 'file' }), /curriculum\.reward\.file names none/);
  });

  for (const { language, ending, text } of curriculumTemplates) {
    it(`has a template that passes its own cases: ${language}`, async () => {
      const file = join(dir, `mine${ending}`);
      await writeFile(file, text);
      await writeFile(join(dir, 'mine.curriculum.cases.jsonl'), curriculumCases);
      const host = await openCurriculum(presets.default, file, dist);
      try {
        const cases = await Array.fromAsync((await runCases(host, file))?.results ?? []);
        assert.deepEqual(cases.map(({ wrong }) => wrong), [null, null, null]); // prettier-ignore
      } finally {
        host.dispose();
      }
    });
  }
});
