/** The recomputation of journals from records: agrees with every run, and finds every number that is not true. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { overlay } from '../../src/shared/experiment/resolve.ts';
import { experimentSchema } from '../../src/shared/experiment/schema.ts';
import { cases } from '../support/reference/covering.ts';
import { recordChangedRun, recordRun } from '../support/reference/recordedRun.ts';
import { mixedDomain, mixedExperiment } from '../support/scripted/mixed.ts';
import { OutOfOrder } from '../support/scripted/outOfOrder.ts';
import { MemoryRun, runScripted, smallExperiment } from '../support/scripted/scriptedRun.ts';
import { changed, recompute, type Untrue } from '../support/runs/recompute.ts';
import { skip } from '../support/skip.ts';
import { withTempRuns } from '../support/runs/tempRuns.ts';

/**
 * Values that the records determine: an event, a field in it, and another value. `#` means the first entry of a list.
 */
const untrue: readonly Untrue[] = [
  ['epoch.started', 'settings.alpha', (value) => value + 0.1],
  ['tasks.generated', 'written', (value) => value + 1],
  ['tasks.generated', 'tokens', (value) => value - 1],
  ['tasks.generated', 'taskLength', (value) => value + 1e-6],
  ['rollouts.finished', 'rollouts', (value) => value + 1],
  ['rollouts.finished', 'truncated', (value) => value + 1],
  ['rollouts.finished', 'invalid', (value) => value + 1],
  ['rollouts.finished', 'checkerErrors', (value) => value + 1],
  ['rollouts.finished', 'answerLength', (value) => value * 1.001],
  ['families.scored', 'families.#.tasks.#.successes', (value) => value + 1],
  ['families.scored', 'families.#.tasks.#.weight', (value) => value + 1e-6],
  ['families.scored', 'families.#.successRate.low', (value) => value - 1e-6],
  ['families.scored', 'families.#.estimate', (value) => value + 1e-6],
  ['families.scored', 'families.#.environmentReward', (value) => value + 1e-6],
  ['families.scored', 'families.#.kept', (value) => value - 0.5],
  ['families.scored', 'families.#.seed', () => 'base.none'],
  ['families.scored', 'successRate.effective', (value) => value * 1.05],
  ['families.scored', 'baseSuccessRate.successes', (value) => value + 1],
  ['families.scored', 'inBand', (value) => value + 0.1],
  ['families.scored', 'environmentReward', (value) => value - 1e-6],
  ['families.scored', 'effectiveSampleSize', (value) => value + 1e-6],
  ['families.scored', 'familiesKept', (value) => value + 1],
  ['agent.updated', 'groups.trained', (value) => value + 1],
  ['agent.updated', 'steps', (value) => value + 1],
  ['agent.updated', 'sequences', (value) => value - 1],
  ['agent.updated', 'tokens', (value) => value + 1],
  ['agent.updated', 'measured.tokens', (value) => value - 1],
  ['agent.updated', 'kl.prePost', (value) => -value],
  ['agent.updated', 'version.name', () => 'agent@7'],
  ['environment.updated', 'families', (value) => value + 1],
  ['environment.updated', 'effectiveSampleSize', (value) => value + 1e-6],
  ['environment.updated', 'stoppedBy', () => 'update-cap'],
  ['environment.updated', 'measured.sequences', (value) => value - 1],
  ['pools.grown', 'agent.addedTraces', (value) => value + 1],
  ['pools.grown', 'environment.size', (value) => value - 1],
  ['validated', 'successRate.attempts', (value) => value - 1],
  ['validated', 'successRate.high', (value) => value - 0.01],
  ['validated', 'outcomes', () => '000000'],
  ['validated', 'truncated', (value) => value + 1],
  ['validated', 'tokens', (value) => value + 1],
  ['evaluated', 'judged.successes', (value) => value + 1],
  ['evaluated', 'pass.#.value', (value) => value + 0.01],
  ['evaluated', 'truncated', (value) => value + 1],
  ['evaluated', 'outcomes', () => '-----'],
  ['epoch.finished', 'summary.kl.agent', (value) => value + 1],
  ['epoch.finished', 'summary.tokens', (value) => value + 1],
  ['epoch.finished', 'summary.seconds', (value) => value + 100],
  ['epoch.finished', 'summary.rejected', () => ({ gold: 1 })],
  ['run.finished', 'reason', () => 'budget-tokens'],
];

/** Of a run that draws given tasks by what it measured of them. */
const untrueOfDraws: readonly Untrue[] = [
  ['tasks.drawn', 'sampler.temperature', (value) => value + 1],
  ['tasks.drawn', 'draws.#.of', (value) => value + 1],
  ['tasks.drawn', 'draws.#.known', (value) => value - 1],
  ['tasks.drawn', 'draws.#.tasks.#.at', (value) => value + 1],
  ['tasks.drawn', 'draws.#.tasks.#.id', () => 'base.none'],
  ['tasks.drawn', 'draws.#.tasks.#.by', () => 'pass'],
  ['tasks.drawn', 'draws.#.tasks.#.value', (value) => value + 0.1],
  ['families.scored', 'measures.#.successes', (value) => value + 1],
  ['families.scored', 'measures.#.spread', (value) => value + 1e-6],
];

/** Of a run whose α is chosen by what it measured. */
const untrueOfControl: readonly Untrue[] = [
  ['epoch.started', 'settings.alpha', (value) => value + 0.1],
  ['epoch.started', 'control.why', () => 'better'],
  ['epoch.started', 'control.since', (value) => value - 1],
  ['epoch.started', 'control.seen.value', (value) => value + 1e-6],
  ['epoch.started', 'control.seen.error', (value) => value + 1e-6],
  ['epoch.started', 'control.direction', (value) => -value],
];

const untrueOfDomains: readonly Untrue[] = [
  ['run.started', 'domains.#.share', (value) => value + 0.1],
  ['tasks.generated', 'domains.#.written', (value) => value + 1],
  ['tasks.generated', 'domains.#.families', (value) => value + 2],
  ['rollouts.finished', 'domains.#.rollouts', (value) => value + 1],
  ['families.scored', 'domains.#.successRate.low', (value) => value - 1e-6],
  ['families.scored', 'domains.#.inBand', (value) => value + 0.1],
  ['families.scored', 'domains.#.weight', (value) => value + 1e-6],
  ['pools.grown', 'domains.#.agent.traces', (value) => value + 1],
  ['pools.grown', 'domains.#.environment.size', (value) => value + 1],
  ['validated', 'domains.#.truncated', (value) => value + 1],
  ['validated', 'domains.#.successRate.attempts', (value) => value + 1],
  ['epoch.finished', 'summary.domains.#.familiesKept', (value) => value + 1],
];

/** Of a run with spare groups. */
const untrueOfSpare: readonly Untrue[] = [
  ['rollouts.finished', 'dropped.attempts', (value) => value + 1],
  ['rollouts.finished', 'dropped.tokens', (value) => value - 1],
  ['rollouts.finished', 'dropped.left', (value) => value + 1],
  ['rollouts.finished', 'dropped.likely', (value) => value + 7],
  ['rollouts.finished', 'dropped.groups.#.attempts', (value) => value + 1],
  ['rollouts.finished', 'dropped.groups.#.expected', (value) => value + 1],
  ['rollouts.finished', 'dropped.expected.counted', (value) => value + 1],
  ['rollouts.finished', 'dropped.expected.dropped', (value) => value - 1],
];

describe('the recomputation of a journal', function () {
  before(function () {
    if (spawnSync('python3', ['--version']).status !== 0) skip(this, 'there is no python3');
  });

  it('agrees with runs of every mode, and of every pair of settings', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const folders: string[] = [];
      for (const one of cases) folders.push(await recordRun(store, one));
      const { code, said } = recompute(...folders);
      assert.equal(code, 0, said);
      assert.equal(said.match(/everything agrees/g)?.length, cases.length, said);
    });
  });

  it('agrees with runs that people changed and edited, and with those of trainers of whole jobs', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const plr = { kind: 'plr' as const, temperature: 0.1, staleness: 0.3 };
      const folders = [await recordChangedRun(store), await recordChangedRun(store, plr)];
      for (const jobs of [['agent'], ['agent', 'environment']] as const) {
        const experiment = smallExperiment({ rollouts: { batch: 4 } });
        const writer = await store.create({ experiment: { ...experiment, name: jobs.join() } });
        const run = new MemoryRun();
        // Where both are trained so, some attempts are not counted.
        if (jobs.length === 2) run.cluster.counts = ({ index }) => index > 0;
        await runScripted(experiment, run, { jobs, ports: { journal: writer, records: writer } });
        await writer.close();
        folders.push(writer.dir);
      }
      const journal = await readFile(join(folders[0] ?? '', 'journal.jsonl'), 'utf8');
      for (const type of ['settings.changed', 'tasks.edited']) assert.ok(journal.includes(`"type":"${type}"`), type);
      const { code, said } = recompute(...folders);
      assert.equal(code, 0, said);
    });
  });

  it('agrees where settings change after epochs were sampled', async () => {
    await withTempRuns(async (runs) => {
      const folder = await recordChangedRun(runs.store(), undefined, 2);
      const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8');
      assert.match(journal, /"field":"rollouts.group"/);
      const agreed = recompute(folder);
      assert.equal(agreed.code, 0, agreed.said);
    });
  });

  it('agrees with spare groups in every mode and in rounds, and finds each of their figures that is not true', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const several = mixedExperiment({ epochs: 3, rollouts: { spare: 0.5, batch: 4 } });
      const given = { epochs: 3, generation: { families: 4, variations: 2, staticFamilies: 8 } };
      const rollouts = { baseShare: 0.25, poolShare: 0.25, spare: 0.5 };
      const all = [
        smallExperiment({ ...given, rollouts: { ...rollouts, batch: 5 } }),
        smallExperiment({ ...given, rollouts }),
        smallExperiment({ ...given, rollouts: { ...rollouts, batch: 4 }, mode: 'random' }),
        smallExperiment({ ...given, rollouts: { ...rollouts, poolShare: 0, batch: 4 }, mode: 'static' }),
        smallExperiment({ ...given, rollouts: { ...rollouts, staleness: 1 } }),
        several,
      ];
      const folders: string[] = [];
      for (const [i, experiment] of all.entries()) {
        const writer = await store.create({ experiment: { ...experiment, name: `spare ${i}` } });
        const run = new MemoryRun();
        const agent = new OutOfOrder('agent', 4, run.checkpoints.agent);
        const domain = experiment === several ? { domain: await mixedDomain() } : {};
        await runScripted(experiment, run, { ports: { journal: writer, records: writer, agent, ...domain } });
        await writer.close();
        folders.push(writer.dir);
      }
      const offline = cases.find(({ name }) => name === 'offline') ?? assert.fail('no such case');
      const spare = overlay(offline.experiment, { epochs: 3, rollouts: { spare: 0.5, poolShare: 0.25 } });
      const recorded = await recordRun(store, { ...offline, experiment: experimentSchema.parse(spare) });
      assert.match(await readFile(join(recorded, 'journal.jsonl'), 'utf8'), /"dropped":\{/);
      const agreed = recompute(...folders, recorded);
      assert.equal(agreed.code, 0, agreed.said);
      const [rounds = ''] = folders;
      const journal = await readFile(join(rounds, 'journal.jsonl'), 'utf8');
      assert.match(journal, /"round":3,.*"dropped":\{"groups":\[.*"expected":\{"counted":/);
      for (const [i, change] of untrueOfSpare.entries()) {
        const copy = join(runs.root, `untrue-${i}`);
        await cp(rounds, copy, { recursive: true });
        await writeFile(join(copy, 'journal.jsonl'), changed(journal, change));
        const { code, said } = recompute(copy);
        assert.equal(code, 1, `${change[1]}: ${said}`);
        assert.match(said, /: rollouts\.finished.*: dropped/, `${change[1]}: ${said}`);
      }
    });
  });

  it('agrees with late groups in every mode, and finds each of their figures that is not true', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const several = mixedExperiment({ epochs: 4, rollouts: { staleness: 1, late: 0.5 } });
      const given = { epochs: 5, generation: { families: 4, variations: 2, staticFamilies: 4, staticVariations: 2 } };
      const rollouts = { baseShare: 0.25, poolShare: 0.25, staleness: 1, late: 0.5 };
      const all = [
        smallExperiment({ ...given, rollouts }),
        smallExperiment({ ...given, rollouts: { ...rollouts, staleness: 2, order: 'longest' } }),
        smallExperiment({ ...given, rollouts, mode: 'random' }),
        smallExperiment({ ...given, rollouts: { ...rollouts, poolShare: 0 }, mode: 'static' }),
        smallExperiment({
          ...{ ...given, rollouts, curriculum: { filter: 'off', scope: 'task' } },
          environment: { update: 'grpo', invalidReward: -1 },
        }),
        several,
      ];
      const folders: string[] = [];
      for (const [i, experiment] of all.entries()) {
        const writer = await store.create({ experiment: { ...experiment, name: `late ${i}` } });
        const run = new MemoryRun();
        const agent = new OutOfOrder('agent', 4, run.checkpoints.agent);
        const domain = experiment === several ? { domain: await mixedDomain() } : {};
        await runScripted(experiment, run, { ports: { journal: writer, records: writer, agent, ...domain } });
        await writer.close();
        folders.push(writer.dir);
      }
      const offline = cases.find(({ name }) => name === 'offline') ?? assert.fail('no such case');
      const late = overlay(offline.experiment, { epochs: 4, rollouts: { staleness: 1, late: 0.5, poolShare: 0.25 } });
      folders.push(await recordRun(store, { ...offline, experiment: experimentSchema.parse(late) }));
      for (const folder of folders)
        assert.match(await readFile(join(folder, 'journal.jsonl'), 'utf8'), /"late":\["/, folder);
      const agreed = recompute(...folders);
      assert.equal(agreed.code, 0, agreed.said);
      const [first = ''] = folders;
      const journal = await readFile(join(first, 'journal.jsonl'), 'utf8');
      const lines = journal.trimEnd().split('\n');
      const at = lines.findLastIndex((line) => line.includes('"late":['));
      const [, ids = ''] = /"late":\[([^\]]*)\]/.exec(lines[at] ?? '') ?? [];
      for (const untrue of [ids.split(',').slice(1).join(','), `${ids},"base.0"`, '']) {
        const copy = join(runs.root, `untrue-late-${untrue.length}`);
        await cp(first, copy, { recursive: true });
        const changed = lines.with(at, (lines[at] ?? '').replace(`"late":[${ids}]`, `"late":[${untrue}]`));
        await writeFile(join(copy, 'journal.jsonl'), `${changed.join('\n')}\n`);
        const { code, said } = recompute(copy);
        assert.equal(code, 1, said);
        assert.match(said, /rollouts\.finished.*: late/, said);
      }
    });
  });

  it('finds that a group fell out which was complete before one that counts', async () => {
    await withTempRuns(async (runs) => {
      const rollouts = { baseShare: 0.25, spare: 0.5 };
      const experiment = smallExperiment({ epochs: 1, generation: { families: 4 }, rollouts });
      const writer = await runs.store().create({ experiment });
      await runScripted(experiment, new MemoryRun(), { ports: { journal: writer, records: writer } });
      await writer.close();
      assert.equal(recompute(writer.dir).code, 0);
      const [, out = ''] =
        /"dropped":\{"groups":\[.*?"task":"(base\.\d+)"/.exec(
          await readFile(join(writer.dir, 'journal.jsonl'), 'utf8'),
        ) ?? [];
      assert.notEqual(out, '');
      const path = join(writer.dir, 'traces.jsonl');
      const traces = await readFile(path, 'utf8');
      const [, other = ''] = /"task":"(base\.\d+)"/.exec(traces.replaceAll(`"${out}"`, '')) ?? [];
      // As if its attempts had been recorded before all others: those of another base task, by its name.
      const lines = traces.split('\n').filter((line) => line.includes(`"task":"${other}"`) && line.includes('"train"'));
      assert.equal(lines.length, experiment.rollouts.group);
      const own = lines.map((line) => line.replaceAll(other, out));
      const rest = traces.split('\n').filter((line) => !line.includes(`"task":"${out}"`));
      await writeFile(path, [...own, ...rest].join('\n'));
      const { code, said } = recompute(writer.dir);
      assert.equal(code, 1, said);
      assert.match(said, /rollouts\.finished, epoch 1: dropped: expected "mixed: the first complete ones count"/);
    });
  });

  it('agrees with runs of several domains, and finds each of their figures that is not true', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const folders: string[] = [];
      for (const mode of ['coevolve', 'random', 'static', 'release'] as const) {
        const experiment = mixedExperiment({ mode, rollouts: { batch: 4, poolShare: 0.2 } });
        const writer = await store.create({ experiment: { ...experiment, name: mode } });
        const ports = { journal: writer, records: writer, domain: await mixedDomain() };
        await runScripted(experiment, new MemoryRun(), { ports });
        await writer.close();
        folders.push(writer.dir);
      }
      for (const kind of ['plr', 'easiest-first'] as const) {
        const sampler = { kind, temperature: 0.5, staleness: 0.3 };
        const mode = kind === 'plr' ? 'random' : 'static';
        const generation = { editShare: mode === 'random' ? 0.5 : 0 };
        const experiment = mixedExperiment({ mode, epochs: 4, generation, rollouts: { poolShare: 0.4, sampler } });
        const writer = await store.create({ experiment: { ...experiment, name: kind } });
        const ports = { journal: writer, records: writer, domain: await mixedDomain() };
        await runScripted(experiment, new MemoryRun(), { ports });
        await writer.close();
        folders.push(writer.dir);
      }
      const agreed = recompute(...folders);
      assert.equal(agreed.code, 0, agreed.said);
      const [folder = ''] = folders;
      const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8');
      for (const [i, change] of untrueOfDomains.entries()) {
        const copy = join(runs.root, `untrue-${i}`);
        await cp(folder, copy, { recursive: true });
        await writeFile(join(copy, 'journal.jsonl'), changed(journal, change));
        const { code, said } = recompute(copy);
        assert.equal(code, 1, said);
        assert.match(said, new RegExp(`: ${change[0]}.*domains`), `${change[0]} ${change[1]}: ${said}`);
      }
    });
  });

  it('finds each number that is not true, by its file, event and field', async () => {
    const one = cases.find(({ name }) => name === 'benchmark');
    assert.ok(one !== undefined);
    await withTempRuns(async (runs) => {
      const folder = await recordRun(runs.store(), one);
      const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8');
      const folders: string[] = [];
      for (const [i, change] of untrue.entries()) {
        const copy = join(runs.root, `untrue-${i}`);
        await cp(folder, copy, { recursive: true });
        await writeFile(join(copy, 'journal.jsonl'), changed(journal, change));
        folders.push(copy);
      }
      const { code, said } = recompute(...folders);
      assert.equal(code, 1, said);
      const lines = said.split('\n');
      const missed = untrue.filter(([type, field], i) => {
        const [part = ''] = field.split('.');
        const path = join(folders[i] ?? '', 'journal.jsonl:');
        return !lines.some((line) => line.startsWith(path) && line.includes(`: ${type}`) && line.includes(`: ${part}`));
      });
      assert.deepEqual(missed, [], said);
    });
  });

  const apart: readonly [what: string, of: string, changes: typeof untrue][] = [
    ['draw of given tasks that its scores do not make', 'sampler-plr', untrueOfDraws],
    ['α that its controller does not choose', 'control-learnability', untrueOfControl],
  ];
  for (const [what, of, changes] of apart) {
    it(`finds each ${what}`, async () => {
      const one = cases.find(({ name }) => name === of);
      assert.ok(one !== undefined);
      await withTempRuns(async (runs) => {
        const folder = await recordRun(runs.store(), one);
        const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8');
        for (const [i, change] of changes.entries()) {
          const copy = join(runs.root, `untrue-${i}`);
          await cp(folder, copy, { recursive: true });
          await writeFile(join(copy, 'journal.jsonl'), changed(journal, change));
          const { code, said } = recompute(copy);
          assert.equal(code, 1, `${change[1]}: ${said}`);
          assert.match(said, new RegExp(`: ${change[0]}`), `${change[1]}: ${said}`);
        }
      });
    });
  }

  it('finds a record that is not what the journal says', async () => {
    const [first] = cases;
    assert.ok(first !== undefined);
    await withTempRuns(async (runs) => {
      const folder = await recordRun(runs.store(), first);
      const path = join(folder, 'traces.jsonl');
      const traces = await readFile(path, 'utf8');
      await writeFile(path, traces.replace('"success":true,"reward":1', '"success":false,"reward":0'));
      const { code, said } = recompute(folder);
      assert.equal(code, 1, said);
    });
  });

  it('says what it cannot read, and what it is', () => {
    const missing = recompute('/nowhere');
    assert.equal(missing.code, 2);
    assert.match(missing.said, /\/nowhere: this is no run that can be read/);
    assert.match(recompute().said, /python3 scripts\/recompute RUN/);
  });
});
