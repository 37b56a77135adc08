import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { RunsNode } from '../../../../src/host/trees/runs/node.ts';
import type { Changed } from '../../../../src/host/trees/runs/runsModel.ts';
import { everything } from '../../../../src/host/trees/runs/treeFilter.ts';
import { runPaths } from '../../../../src/runs/store/runPaths.ts';
import { inBand } from '../../../../src/engine/math/curriculum.ts';
import type { FamilyScore, JournalEvent } from '../../../../src/shared/journal/events.ts';
import {
  contentsOf,
  ofKind,
  recordedEvents,
  withTree,
  written,
  type Recorded,
  type Tree,
} from '../../../support/host/runsTree.ts';
import { successRate } from '../../../../src/engine/math/successRate.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import { pageSize } from '../../../../src/host/trees/runs/nodes.ts';

/** The only run there is, finished. */
async function recorded({ runs, catalog }: Tree): Promise<Recorded & { dir: string }> {
  const { id, dir } = await finishedRun(runs.store(), smallExperiment());
  await catalog.look();
  return { dir, ...(await contentsOf(runs, id)) };
}

describe('runs tree: places', () => {
  it('are runs, epochs newest first, families by the band, tasks and their attempts', () =>
    withTree(async (tree) => {
      const { model } = tree;
      const { dir, traces, scored } = await recorded(tree);
      const [runNode] = await model.children();
      assert.deepEqual(runNode, { kind: 'run', id: dir, parent: null, run: dir });
      const epochs = ofKind(await model.children(runNode), 'epoch');
      assert.deepEqual(
        epochs.map(({ epoch }) => epoch),
        [3, 2, 1],
      );
      for (const epochNode of epochs) {
        const { curriculum } = smallExperiment();
        const families = scored.find(({ epoch }) => epoch === epochNode.epoch)?.families ?? [];
        const groups = ofKind(await model.children(epochNode), 'group');
        assert.deepEqual(
          groups.slice(0, 3).map(({ group }) => group),
          ['too hard', 'in band', 'too easy'],
        );
        const shown: FamilyScore[] = [];
        for (const groupNode of groups) {
          const nodes = ofKind(await model.children(groupNode), 'family');
          const rates = nodes.map(({ score }) => score.successRate.p ?? 0);
          assert.deepEqual(
            rates,
            rates.toSorted((a, b) => a - b),
          );
          for (const p of rates) {
            const side = inBand(p, curriculum) ? 'in band' : p < curriculum.alpha ? 'too hard' : 'too easy';
            assert.equal(groupNode.group, side);
          }
          shown.push(...nodes.map(({ score }) => score));
        }
        assert.deepEqual(new Set(shown.map(({ id }) => id)), new Set(families.map(({ id }) => id)));
      }
      const located = await model.locate({ run: dir, epoch: 2, task: scored[1]!.families[0]!.tasks[0]!.id });
      assert.equal(located?.kind, 'task');
      const attempts = ofKind(await model.children(located), 'trace');
      assert.deepEqual(
        attempts.map(({ trace, record }) => [trace, record.verdict.success]),
        traces
          .filter(({ epoch, task, purpose }) => epoch === 2 && purpose === 'train' && task === located.task)
          .map(({ id, verdict }) => [id, verdict.success])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      );
      assert.ok(attempts.length > 0);
    }));

  it('beside the families are the tasks mixed into the batch and the texts that became no task', () =>
    withTree(async (tree) => {
      const { model } = tree;
      const { dir, tasks, traces, scored } = await recorded(tree);
      for (const { epoch, families } of scored) {
        const node = await model.locate({ run: dir, epoch });
        const asides = ofKind(await model.children(node), 'aside');
        const names = new Set(families.map(({ id }) => id));
        const mixed = traces.filter((one) => one.epoch === epoch && one.purpose === 'train' && !names.has(one.family));
        const rejected = tasks.filter((one) => one.epoch === epoch && one.status === 'rejected');
        assert.deepEqual(
          asides.map(({ aside }) => aside),
          [...(mixed.length > 0 ? ['mixed'] : []), ...(rejected.length > 0 ? ['rejected'] : [])],
        );
        const below = (await Promise.all(asides.map((aside) => model.children(aside)))).flat();
        const shown = ofKind(below, 'mixed').map(({ task, score }) => [task, score.successes, score.attempts]);
        const wanted = Map.groupBy(mixed, ({ task }) => task);
        assert.deepEqual(
          new Map(shown.map(([task, ...counts]) => [task, counts])),
          new Map([...wanted].map(([task, all]) => [task, [all.filter((t) => t.verdict.success).length, all.length]])),
        );
        assert.deepEqual(
          ofKind(below, 'rejected')
            .map(({ task }) => task)
            .sort(),
          rejected.map(({ id }) => id).sort(),
        );
        const [trace] = mixed;
        if (trace === undefined) continue;
        const found = await model.locate({ run: dir, trace: trace.id });
        assert.equal(found?.kind === 'trace' && found.parent.kind, 'mixed');
      }
      assert.ok(scored.length === 3 && traces.some(({ task }) => task.startsWith('base.')));
    }));

  it('are the same objects whenever they are asked for, so that the editor keeps what is open', () =>
    withTree(async (tree) => {
      const { model } = tree;
      await recorded(tree);
      const walk = async (): Promise<RunsNode[]> => {
        const [run] = await model.children();
        const [epoch] = await model.children(run);
        const groups = await model.children(epoch);
        const families = (await Promise.all(groups.map((group) => model.children(group)))).flat();
        return [run!, epoch!, ...groups, ...ofKind(families, 'family')];
      };
      const first = await walk();
      const again = await walk();
      assert.ok(first.length > 5);
      for (const [at, node] of first.entries()) assert.equal(again[at], node);
    }));

  it('lead from a trace to its task, family, group, epoch and run', () =>
    withTree(async (tree) => {
      const { model } = tree;
      const { dir, tasks, traces } = await recorded(tree);
      const generated = new Set(tasks.map(({ id }) => id));
      const trace = traces.find(
        ({ purpose, epoch, task }) => purpose === 'train' && epoch === 3 && generated.has(task),
      );
      const node = await model.locate({ run: dir, trace: trace!.id });
      const kinds: string[] = [];
      for (let at: RunsNode | null | undefined = node; at != null; at = at.parent) kinds.push(at.kind);
      assert.deepEqual(kinds, ['trace', 'task', 'family', 'group', 'epoch', 'run']);
      assert.equal(node?.kind === 'trace' && node.trace, trace!.id);
    }));

  it('that are nowhere are not found, or as far as they go', () =>
    withTree(async (tree) => {
      const { model } = tree;
      const { dir } = await recorded(tree);
      assert.equal(await model.locate({ run: '/nowhere' }), undefined);
      assert.equal(await model.locate({ run: dir, epoch: 99 }), undefined);
      assert.equal((await model.locate({ run: dir, epoch: 1, family: 'nobody' }))?.kind, 'epoch');
      assert.equal((await model.locate({ run: dir }))?.kind, 'run');
    }));

  it('say why nothing is below them', () =>
    withTree(async (tree) => {
      const { model } = tree;
      const writer = await written(tree, []);
      const [run] = await model.children();
      const [none] = await model.children(run);
      assert.equal(none?.kind === 'note' && none.note, 'no epochs');
      await writer.close();
    }));
});

describe('runs tree: an epoch of 10,000 tasks', () => {
  const families = Array.from({ length: 2500 }, (_, f): FamilyScore => {
    const rate = successRate(f % 33, 32);
    return {
      id: `e1.f${f}`,
      seed: null,
      origin: 'generated',
      plan: f % 2 === 0 ? 'even' : 'odd',
      tasks: Array.from({ length: 4 }, (_, v) => ({
        id: `e1.f${f}.v${v}`,
        successes: 0,
        attempts: 8,
        environmentReward: 0.5,
        weight: 0,
      })),
      successRate: rate,
      estimate: rate.p ?? 0,
      environmentReward: 0.5,
      kept: 0,
      weight: 0,
      complexity: {},
    };
  });

  const withLarge = (test: (tree: Tree, dir: string) => Promise<void>) =>
    withTree(async (tree) => {
      const whole = await recordedEvents();
      const events = whole.slice(0, whole.findIndex(({ type }) => type === 'families.scored') + 1);
      const large = events.map((event) => (event.type === 'families.scored' ? { ...event, families } : event));
      const writer = await written(tree, large);
      await test(tree, writer.dir);
      await writer.close();
    });

  it('is shown a page at a time, the hardest first', () =>
    withLarge(async ({ model, told }, dir) => {
      const epoch = await model.locate({ run: dir, epoch: 1 });
      const [hard] = ofKind(await model.children(epoch), 'group');
      const page = await model.children(hard);
      const [more] = ofKind(page, 'more');
      assert.equal(ofKind(page, 'family').length, pageSize);
      const hardest = families.filter(({ successRate: { p } }) => (p ?? 0) < 0.25);
      assert.equal(more?.left, hardest.length - pageSize);
      told.length = 0;
      model.showMore(more);
      assert.deepEqual(told, [[hard]]);
      assert.equal((await model.children(hard)).length, hardest.length);
    }));

  it('turns the page that a place is on', () =>
    withLarge(async ({ model }, dir) => {
      const node = await model.locate({ run: dir, epoch: 1, task: 'e1.f2448.v3' });
      assert.equal(node?.kind === 'task' && node.task, 'e1.f2448.v3');
      const shown = await model.children(node?.parent?.parent ?? undefined);
      assert.ok(shown.includes(node!.parent!));
    }));

  it('shows only what the filter lets through', () =>
    withLarge(async ({ model }, dir) => {
      model.filter = { runs: {}, families: { run: dir, band: 'too easy', text: 'EVEN', successRate: [0.9, 1] } };
      const [run] = await model.children();
      const [epoch] = await model.children(run);
      const groups = ofKind(await model.children(epoch), 'group');
      assert.deepEqual(
        groups.map(({ group }) => group),
        ['too easy'],
      );
      const shown = ofKind(await model.children(groups[0]), 'family').map(({ family }) => family);
      const wanted = families.filter(({ plan, successRate: { p } }) => plan === 'even' && (p ?? 0) >= 0.9);
      assert.deepEqual(new Set(shown), new Set(wanted.map(({ id }) => id)));
      model.filter = { runs: {}, families: { text: 'nowhere' } };
      const [none] = await model.children(run);
      assert.equal(none?.kind === 'note' && none.note, 'nothing matches');
      model.filter = everything;
      assert.equal(ofKind(await model.children(epoch), 'group').length, 3);
    }));
});

describe('runs tree: a run that goes on', () => {
  it('tells which nodes changed, and no others', () =>
    withTree(async (tree) => {
      const { catalog, model, told } = tree;
      const events = await recordedEvents();
      const second = events.findIndex((event) => event.type === 'epoch.started' && event.epoch === 2);
      const writer = await written(tree, events.slice(0, second));
      const [run] = await model.children();
      assert.equal(ofKind(await model.children(run), 'epoch').length, 1);
      told.length = 0;
      const hear = async (event: JournalEvent): Promise<Changed[]> => {
        told.length = 0;
        await writer.append(event);
        await catalog.poll(writer.dir);
        return [...told];
      };
      assert.deepEqual(await hear(events[second]!), [[run]]);
      const [open] = ofKind(await model.children(run), 'epoch');
      assert.equal(open?.epoch, 2);
      for (const event of events.slice(second + 1)) {
        const changed = await hear(event);
        if (event.type === 'epoch.started' || event.type === 'run.finished') assert.deepEqual(changed, [[run]]);
        else assert.deepEqual(changed, [[model.shownEpoch(writer.dir, 'epoch' in event ? event.epoch : 0)]]);
      }
      assert.equal(ofKind(await model.children(run), 'epoch').length, 3);
      await writer.close();
    }));

  it('is let go of when nobody shows it any more', () =>
    withTree(async (tree) => {
      const { runs, catalog, open, model } = tree;
      for (let n = 0; n < 7; n++) {
        runs.now += 1000;
        await (await runs.store().create({ experiment: smallExperiment() })).close();
      }
      await catalog.look();
      const [shown, ...others] = ofKind(await model.children(), 'run');
      open.show(shown!.run, 'runs', true);
      for (const node of [shown!, ...others]) await model.children(node);
      assert.equal(catalog.followers, 5);
      assert.equal(await open.open(shown!.run), await open.open(shown!.run));
      open.dispose();
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(catalog.followers, 0);
    }));

  it('that can be read no more says so, and its folder leaves the tree when it is gone', () =>
    withTree(async (tree) => {
      const { catalog, model, told } = tree;
      const { dir } = await recorded(tree);
      const [run] = await model.children();
      await writeFile(runPaths(dir).journal, 'no journal\nat all\n');
      const [broken] = await model.children(run);
      assert.equal(broken?.kind === 'note' && broken.note, 'unreadable');
      assert.match(String(broken?.kind === 'note' && broken.error?.message), /journal\.jsonl/);
      catalog.runs = [];
      told.length = 0;
      catalog.tellHeads([]);
      await catalog.look();
      assert.ok(told.includes(null));
    }));
});

/** The events of a finished run. */
