import assert from 'node:assert/strict';
import { basename } from 'node:path';
import type { StudyNode } from '../../../../src/host/trees/runs/node.ts';
import { Nodes } from '../../../../src/host/trees/runs/nodes.ts';
import { RootRows } from '../../../../src/host/trees/runs/roots/rootRows.ts';
import { everything, type TreeFilter } from '../../../../src/host/trees/runs/treeFilter.ts';
import type { QueuedStudy } from '../../../../src/host/runs/queuedStudies.ts';
import type { KnownRun } from '../../../../src/host/runs/runs.ts';
import { noLabel, type RunLabel } from '../../../../src/runs/store/runLabel.ts';
import type { RunHead } from '../../../../src/runs/store/runHead.ts';
import { presets } from '../../../../src/shared/experiment/presets.ts';
import { ofKind, withTree } from '../../../support/host/runsTree.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

type Told = Partial<Pick<RunHead, 'state' | 'name'>> & { label?: Partial<RunLabel>; folder?: string };

const of = (study: string) => ({ study: { name: study, arm: 'a', seed: 1 } });

/** The newest last. */
const known = (i: number, { label = {}, folder = '/runs', ...head }: Told = {}): KnownRun => ({
  dir: `${folder}/r${i}`,
  writer: null,
  head: {
    ...{ id: `r${i}`, name: `run ${i}`, experiment: 'demo', mode: 'coevolve', state: 'finished', imported: null },
    ...{ endpoints: presets.embedded.endpoints, ending: 'epochs', epoch: 3, current: 3, epochs: 3, summary: null },
    startedAt: new Date(Date.UTC(2026, 10, 21) + i * 1000).toISOString(),
    ...head,
    label: { ...noLabel, ...label },
  },
});

class Listed {
  /** How often all runs were gone through. */
  readings = 0;
  filter: TreeFilter = everything;
  queued: QueuedStudy[] = [];
  readonly rows: RootRows;
  #runs: Map<string, KnownRun>;

  constructor(runs: readonly KnownRun[]) {
    this.#runs = new Map(runs.map((run) => [run.dir, run]));
    const read = (): readonly KnownRun[] => {
      this.readings += 1;
      return [...this.#runs.values()];
    };
    const catalog = {
      get runs() {
        return read();
      },
      problems: [],
      get: (dir: string) => this.#runs.get(dir),
    };
    this.rows = new RootRows(
      catalog,
      new Nodes(),
      () => this.filter,
      () => this.queued,
    );
  }

  set(run: KnownRun): void {
    this.#runs.set(run.dir, run);
  }

  find(filter: TreeFilter): void {
    this.filter = filter;
    this.rows.forget();
  }

  /** The first level, each study with its runs. */
  get told(): (string | [string, string[]])[] {
    return this.rows.all().map((row) => {
      if (row.kind === 'study') return [row.study, this.rows.members(row).map(({ run }) => basename(run))];
      return row.kind === 'run' ? basename(row.run) : row.kind;
    });
  }

  study(name: string): StudyNode {
    const found = ofKind(this.rows.all(), 'study').find(({ study }) => study === name);
    assert.ok(found);
    return found;
  }
}

const mixed = [
  known(1, { label: of('curricula') }),
  known(2),
  known(3, { label: of('curricula'), state: 'failed' }),
  known(4, { label: of('seeds') }),
  known(5),
  known(6, { label: { ...of('curricula'), archived: true } }),
];

describe('runs tree: studies', () => {
  it('stand where their newest run would, with their runs below them in order', () => {
    const listed = new Listed(mixed);
    assert.deepEqual(listed.told, ['r5', ['seeds', ['r4']], ['curricula', ['r3', 'r1']], 'r2']);
    listed.rows.order = 'name';
    assert.deepEqual(listed.told, [['curricula', ['r1', 'r3']], 'r2', ['seeds', ['r4']], 'r5']);
  });

  it('of one name in two folders are two', () => {
    const listed = new Listed([known(1, { label: of('a') }), known(2, { label: of('a'), folder: '/other' })]);
    assert.deepEqual(listed.told, [
      ['a', ['r2']],
      ['a', ['r1']],
    ]);
  });

  it('count their runs by state, those outside of the archive, and those that a filter shows', () => {
    const listed = new Listed(mixed);
    const sight = () => listed.rows.sight(listed.study('curricula'));
    const states = new Map([
      ['failed', 1],
      ['finished', 1],
    ]);
    assert.deepEqual(sight(), { states, shown: 2, all: 2 });
    const shut = listed.study('curricula');
    listed.find({ runs: { states: ['failed'] }, families: {} });
    assert.deepEqual(listed.told, [['curricula', ['r3']]]);
    assert.deepEqual(sight(), { states: new Map([['failed', 1]]), shown: 1, all: 2 });
    assert.notEqual(listed.study('curricula').id, shut.id, 'the editor opens it anew, whether it was closed or not');
    listed.find(everything);
    assert.equal(listed.study('curricula'), shut);
  });

  it('are drawn again where a run below them changes its state, and not where it only moves on', () => {
    const listed = new Listed(mixed);
    const study = listed.study('curricula');
    listed.set(known(1, { label: of('curricula'), state: 'running' }));
    assert.deepEqual(listed.rows.changedBy(['/runs/r1']), [study]);
    assert.deepEqual(listed.rows.changedBy(['/runs/r1']), []);
    assert.deepEqual(listed.rows.changedBy(['/runs/r2']), []);
  });

  it('in the queue have a row before their first run has begun, and while nothing narrows the runs down', () => {
    const listed = new Listed(mixed);
    const place: QueuedStudy['place'] = {
      ...{ state: 'waiting', position: 1, wait: null, secondsLeft: null, runner: false, study: null },
    };
    const before = listed.told;
    assert.equal(listed.rows.queueChanged(), false);
    listed.queued = [
      { root: '/runs', name: 'new', place },
      { root: '/runs', name: 'seeds', place },
    ];
    assert.equal(listed.rows.queueChanged(), true);
    assert.deepEqual(listed.told, [['new', []], ...before]);
    assert.equal(listed.rows.queueChanged(), false);
    const row = listed.study('new');
    assert.deepEqual(listed.rows.sight(row), { states: new Map(), shown: 0, all: 0 });
    assert.equal(listed.rows.placeOf(row), place);
    assert.equal(listed.rows.placeOf(listed.study('curricula')), null);
    listed.find({ runs: { states: ['failed'] }, families: {} });
    assert.deepEqual(listed.told, [['curricula', ['r3']]]);
    listed.find(everything);
    assert.equal(listed.study('new'), row);
    listed.queued = [];
    assert.equal(listed.rows.queueChanged(), true);
    assert.deepEqual(listed.told, before);
  });

  it('have a run whose study is known only later, and none that was archived', () => {
    const listed = new Listed([known(1), known(2, { label: of('a') })]);
    assert.deepEqual(listed.told, [['a', ['r2']], 'r1']);
    listed.set(known(1, { label: of('a') }));
    assert.equal(listed.rows.changedBy(['/runs/r1']), null);
    listed.rows.forget();
    assert.deepEqual(listed.told, [['a', ['r2', 'r1']]]);
    listed.set(known(2, { label: { ...of('a'), archived: true } }));
    assert.equal(listed.rows.changedBy(['/runs/r2']), null);
  });

  it('and 10,000 runs are gone through once, however often their heads change', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => known(i, { label: i % 4 === 0 ? {} : of(`s${i % 40}`) }));
    const listed = new Listed(many);
    assert.equal(listed.rows.all().length, 2530);
    const { readings } = listed;
    for (let i = 0; i < 100; i++) {
      listed.set(
        known(i, { ...(i % 4 !== 0 && { label: of(`s${i % 40}`) }), state: i % 2 === 0 ? 'failed' : 'running' }),
      );
      listed.rows.changedBy([`/runs/r${i}`]);
      listed.rows.sight(listed.study(`s${1 + (i % 3)}`));
    }
    assert.equal(listed.readings, readings);
  });

  it('are the rows above their runs, which are found through them', () =>
    withTree(async ({ runs, catalog, model, told }) => {
      const create = async (study?: string): Promise<string> => {
        runs.now += 1000;
        const mark = study === undefined ? {} : { study: { name: study, arm: 'a', seed: 1 } };
        const writer = await runs.store().create({ experiment: smallExperiment(), ...mark });
        await writer.close();
        return writer.dir;
      };
      const [inside, outside] = [await create('curricula'), await create()];
      await catalog.look();
      const [first, study] = await model.children();
      assert.equal(first, model.runNode(outside));
      assert.equal(study?.kind, 'study');
      const run = await model.locate({ run: inside });
      assert.deepEqual(await model.children(study), [run]);
      assert.ok(run !== undefined);
      assert.equal(model.parentOf(run), study);
      assert.equal(model.parentOf(study), null);
      told.length = 0;
      catalog.tellHeads([inside]);
      assert.deepEqual(told, [[study, run]]);
    }));
});
