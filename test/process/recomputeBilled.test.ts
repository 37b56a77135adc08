/** The recomputation of what tokens are billed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changed, recompute, type Untrue } from '../support/runs/recompute.ts';
import { withTempRuns } from '../support/runs/tempRuns.ts';
import { ThreeTurns, Unexecuted, pricedServer } from '../support/scripted/billing.ts';
import { LadderDomain } from '../support/scripted/ladder.ts';
import { OutOfOrder } from '../support/scripted/outOfOrder.ts';
import { ScriptedPolicy } from '../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../support/scripted/scriptedRun.ts';
import { unreliable } from '../support/scripted/unreliablePolicy.ts';
import { skip } from '../support/skip.ts';

/** Of a run whose tokens have prices. */
const untrue: readonly Untrue[] = [
  ['tasks.generated', 'sampled', (value) => value + 1],
  ['tasks.generated', 'sent', (value) => value + 1],
  ['rollouts.finished', 'sampled', (value) => value - 1],
  ['rollouts.finished', 'sent', (value) => value - 1],
  ['rollouts.finished', 'dropped.sent', (value) => value + 1],
  ['validated', 'sent', (value) => value + 1],
  ['epoch.finished', 'summary.billed', (value) => value + 1],
];

describe('the recomputation of what is billed', function () {
  before(function () {
    if (spawnSync('python3', ['--version']).status !== 0) skip(this, 'there is no python3');
  });

  it('agrees with what tokens are billed, and finds each of its figures that is not true', async () => {
    await withTempRuns(async (runs) => {
      const endpoints = { agent: pricedServer, environment: pricedServer };
      const given = { epochs: 3, endpoints, generation: { families: 4, variations: 2 } };
      const all = [
        smallExperiment({ ...given, rollouts: { baseShare: 0.25, spare: 0.5, maxTurns: 3 } }),
        smallExperiment({ ...given, mode: 'release', rollouts: { maxTurns: 3 } }),
        ...(['agent', 'environment'] as const).map((agreementBy) =>
          smallExperiment({
            ...given,
            generation: { ...given.generation, agreementAnswers: 3, agreementShare: 0, agreementBy },
          }),
        ),
      ];
      const folders: string[] = [];
      for (const [i, experiment] of all.entries()) {
        const writer = await runs.store().create({ experiment: { ...experiment, name: `billed ${i}` } });
        const run = new MemoryRun();
        const agent = new OutOfOrder('agent', 4, run.checkpoints.agent);
        await runScripted(experiment, run, {
          ports: { journal: writer, records: writer, agent, domain: i < 2 ? new ThreeTurns() : new Unexecuted() },
        });
        await writer.close();
        folders.push(writer.dir);
      }
      const agreed = recompute(...folders);
      assert.equal(agreed.code, 0, agreed.said);
      const [spare = '', , asked = ''] = folders;
      const journal = await readFile(join(spare, 'journal.jsonl'), 'utf8');
      assert.match(journal, /"likely":[1-9]/);
      for (const [i, change] of untrue.entries()) {
        const copy = join(runs.root, `untrue-${i}`);
        await cp(spare, copy, { recursive: true });
        await writeFile(join(copy, 'journal.jsonl'), changed(journal, change));
        const { code, said } = recompute(copy);
        assert.equal(code, 1, `${change[0]} ${change[1]}: ${said}`);
        assert.ok(said.includes(change[1]), said);
      }
      const answers = await readFile(join(asked, 'journal.jsonl'), 'utf8');
      await writeFile(
        join(asked, 'journal.jsonl'),
        changed(answers, ['tasks.generated', 'byAgent.sent', (value) => value + 1]),
      );
      assert.match(recompute(asked).said, /byAgent/);
    });
  });

  it('agrees where plans were bought and no text is written from them, and finds what is not true of them', async () => {
    await withTempRuns(async (runs) => {
      const endpoints = { agent: pricedServer, environment: pricedServer };
      const experiment = smallExperiment({ epochs: 1, endpoints, generation: { families: 4, attempts: 2 } });
      const writer = await runs.store().create({ experiment });
      const run = new MemoryRun();
      const scripted = new ScriptedPolicy('environment', 5.4, run.checkpoints.environment);
      const environment = unreliable(scripted, { fails: (id) => (id.startsWith('e1.f0/1#') ? 'away' : null) });
      const domain = new LadderDomain({ plans: true });
      await runScripted(experiment, run, { ports: { journal: writer, records: writer, environment, domain } });
      await writer.close();
      const agreed = recompute(writer.dir);
      assert.equal(agreed.code, 0, agreed.said);
      const path = join(writer.dir, 'journal.jsonl');
      const journal = await readFile(path, 'utf8');
      assert.match(journal, /"plansAlone":\{"plans":1,/);
      for (const field of ['plansAlone.plans', 'plansAlone.tokens', 'tokens', 'sampled', 'sent']) {
        await writeFile(path, changed(journal, ['tasks.generated', field, (value) => value + 1]));
        const { code, said } = recompute(writer.dir);
        assert.equal(code, 1, field);
        assert.ok(said.includes(field.split('.')[0] ?? field), said);
      }
    });
  });
});
