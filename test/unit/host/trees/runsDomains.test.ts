import assert from 'node:assert/strict';
import { successRate } from '../../../../src/engine/math/successRate.ts';
import type { RunsNode } from '../../../../src/host/trees/runs/node.ts';
import type { FamilyScore, JournalEvent } from '../../../../src/shared/journal/events.ts';
import { ofKind, recordedEvents, withTree, written, type Tree } from '../../../support/host/runsTree.ts';

describe('runs tree: a run of several domains', () => {
  /** The families of the recorded run by turns in two domains, with their figures. */
  const inDomains = (event: JournalEvent): JournalEvent => {
    if (event.type === 'tasks.generated') {
      const of = (domain: string, rejected: Record<string, number>) => ({
        ...{ domain, families: 2, written: 4, accepted: 3, rejected, taskLength: 5 },
      });
      return { ...event, domains: [of('sums', { duplicate: 1 }), of('products', {})] };
    }
    if (event.type !== 'families.scored') return event;
    const families = event.families.map((family, i) => ({ ...family, domain: i % 2 === 0 ? 'sums' : 'products' }));
    const { baseSuccessRate, inBand, environmentReward } = event;
    const of = (domain: string) => ({
      ...{ domain, families: families.filter((one) => one.domain === domain).length, successRate: successRate(1, 4) },
      ...{ baseSuccessRate: domain === 'sums' ? baseSuccessRate : successRate(0, 0), inBand, environmentReward },
      ...{ familiesKept: 1, weight: 0.5 },
    });
    return { ...event, families, domains: [of('sums'), of('products')] };
  };

  const withDomains = (test: (tree: Tree, dir: string, families: readonly FamilyScore[]) => Promise<void>) =>
    withTree(async (tree) => {
      const events = (await recordedEvents()).map(inDomains);
      const writer = await written(tree, events);
      const scored = events.find((event) => event.type === 'families.scored');
      await test(tree, writer.dir, scored?.families ?? []);
      await writer.close();
    });

  it('has the domains apart below each epoch, each with its own families', () =>
    withDomains(async ({ model }, dir, families) => {
      const epoch = await model.locate({ run: dir, epoch: 1 });
      const domains = ofKind(await model.children(epoch), 'domain');
      assert.deepEqual(
        domains.map(({ domain }) => domain),
        ['sums', 'products'],
      );
      for (const node of domains) {
        const below = await model.children(node);
        const groups = ofKind(below, 'group');
        assert.deepEqual(
          groups.slice(0, 3).map(({ group }) => group),
          ['too hard', 'in band', 'too easy'],
        );
        const shown = (await Promise.all(groups.map((group) => model.children(group)))).flat();
        assert.deepEqual(
          new Set(ofKind(shown, 'family').map(({ family }) => family)),
          new Set(families.filter(({ domain }) => domain === node.domain).map(({ id }) => id)),
        );
        // Only one of them rejected a text.
        const rejected = ofKind(below, 'aside').filter(({ aside }) => aside === 'rejected');
        assert.equal(rejected.length, node.domain === 'sums' ? 1 : 0);
      }
      const task = families.find(({ domain }) => domain === 'products')?.tasks[0]?.id ?? assert.fail();
      const found = await model.locate({ run: dir, epoch: 1, task });
      const kinds: string[] = [];
      for (let at: RunsNode | null | undefined = found; at != null; at = at.parent) kinds.push(at.kind);
      assert.deepEqual(kinds, ['task', 'family', 'group', 'domain', 'epoch', 'run']);
      assert.equal(found?.parent?.parent?.parent, domains[1]);
    }));

  it('shows one of them where the filter asks for it, and its other rows stay', () =>
    withDomains(async ({ model }, dir) => {
      const epoch = await model.locate({ run: dir, epoch: 1 });
      model.filter = { runs: {}, families: { domain: 'SUM' } };
      const [node, ...others] = ofKind(await model.children(epoch), 'domain');
      assert.deepEqual([node?.domain, others], ['sums', []]);
      assert.equal(ofKind(await model.children(node), 'group').length, 3);
      assert.equal(ofKind(await model.children(node), 'aside').length > 0, true);
      model.filter = { runs: {}, families: { domain: 'nowhere' } };
      const [none] = await model.children(model.runNode(dir));
      assert.equal(none?.kind === 'note' && none.note, 'nothing matches');
    }));
});
