import assert from 'node:assert/strict';
import type { Ending } from '../../../src/shared/journal/events.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { courseLines } from '../../../src/cli/show/epochs.ts';
import { scoredIn } from '../../../src/cli/show/views.ts';
import { familyLines } from '../../../src/cli/show/families.ts';
import { jobLines } from '../../../src/cli/show/jobs.ts';
import { targetLines, targetOf, type Target } from '../../../src/cli/show/target.ts';
import { taskLines } from '../../../src/cli/show/tasks.ts';
import { traceLines } from '../../../src/cli/show/trace.ts';
import { bytesOf } from '../../support/cli.ts';
import type { Printable } from '../../../src/cli/text/styled.ts';
import { EpochFold } from '../../../src/runs/facts/epochFold.ts';
import { successRate } from '../../../src/engine/math/successRate.ts';
import type { EventOf, FamilyScore, JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { epochSummary, journalOf } from '../../support/journal.ts';

const canvas = { width: 100 };
/** The text that readers see. */
const read = (lines: readonly Printable[]): string[] => lines.map((line) => bytesOf(line));
const band = { alpha: 0.5, kMin: 0.1 };

const task: Task = {
  v: 1,
  id: 'e3.f2.v1',
  family: 'e3.f2',
  epoch: 3,
  origin: 'generated',
  seed: 'base.17',
  status: 'accepted',
  prompt: [{ role: 'user', content: 'MENU increase f3\nREQ first add rice n4' }],
  evaluation: { kind: 'exact' },
  gold: 'first increase f3 rice n4',
  complexity: { steps: 1, menu: 2.5 },
  plan: 'steps 1 tools 1 fillers 0',
};
const trace = (index: number, over: Partial<Trace['verdict']> = {}): Trace => ({
  v: 1,
  id: `e3/e3.f2.v1/r${index}`,
  purpose: 'train',
  task: task.id,
  family: task.family,
  epoch: 3,
  version: 'agent@2',
  messages: [{ role: 'assistant', content: 'first increase f3\u001B[2J rice n4' }],
  sequences: [{ tokens: [1, 2, 3, 4], spans: [[1, 4]], logprobs: [-0.1, -0.2, -0.3] }],
  stopReason: 'stop',
  verdict: { success: false, reward: 0.25, valid: true, ...over },
});

describe('show', () => {
  it('tells how α went where it moves, and the newest choice of its controller', () => {
    const seen = { from: 1, to: 2, value: 0.0451, error: 0.018 };
    const control = { measure: 'learnability', since: 3, seen, direction: 1 } as const;
    const targets: Target[] = [
      { epoch: 1, alpha: 0.5 },
      { epoch: 2, alpha: 0.5 },
      { epoch: 3, alpha: 0.4, control: { ...control, why: 'worse' } },
      { epoch: 4, alpha: 0.4, control: { ...control, why: 'window' } },
    ];
    assert.deepEqual(read(targetLines(targets, 40)), [
      'α          ▅▅▄▄  0.40 to 0.50, now 0.40',
      '           epoch 3: p(1 − p) of tasks 0.045 ± 0.018 in epochs 1–2: it fell, so that α turns',
    ]);
    assert.deepEqual(targetLines(targets.slice(0, 2), 40), []);
  });

  it('holds families to the band that a change in the middle of their epoch left', async () => {
    const changed = journalOf([{ successes: 5, attempts: 10 }]).flatMap((event): JournalEvent[] => {
      if (event.type !== 'families.scored') return [event];
      const change = { field: 'curriculum.alpha', from: 0.5, to: 0.3 };
      const { v, seq, at, epoch } = event;
      return [{ ...{ v, seq, at, epoch }, type: 'settings.changed', author: 'a person', changes: [change] }, event];
    });
    const events = async function* () {
      await Promise.resolve();
      yield* changed;
    };
    assert.equal((await scoredIn({ events }, null)).settings.alpha, 0.3);
    const fold = new EpochFold();
    for (const event of changed) fold.add(event);
    assert.deepEqual(fold.rows.map(targetOf), [{ epoch: 1, alpha: 0.3 }]);
  });

  it('gives the jobs that trained the policies, with what they logged', () => {
    const metrics = { 'critic/score/mean': 0.4125, 'actor/grad_norm': 12_000.5, 'actor/lr': 5e-7 };
    const jobs = [
      { epoch: 3, version: 'agent@3', steps: 1, disagreements: 2, job: { id: 'genenv-r-e3-agent', metrics } },
      {
        epoch: 3,
        version: 'environment@3',
        steps: 4,
        disagreements: null,
        job: { id: 'genenv-r-e3-env', metrics: {} },
      },
    ];
    assert.deepEqual(read(jobLines(jobs, canvas)), [
      'epoch 3  agent@3  1 step  genenv-r-e3-agent  2 attempts judged otherwise by the job',
      'metric               last',
      'critic/score/mean  0.4125',
      'actor/grad_norm     12000',
      'actor/lr             5e−7',
      '',
      'epoch 3  environment@3  4 steps  genenv-r-e3-env',
    ]);
    assert.deepEqual(read(jobLines([], canvas)), ['No policy of this run was trained by a job yet.']);
  });

  it('gives a run’s course: a line an epoch under its head', () => {
    const epochs = [
      epochSummary(1, { successRate: successRate(14, 100), kl: { agent: null, environment: null } }),
      epochSummary(2, { successRate: successRate(47, 100), validation: successRate(170, 400), seconds: 61 }),
    ];
    const head = {
      id: '20261121-demo',
      name: 'demo',
      mode: 'coevolve',
      imported: null,
      endpoints: presets.embedded.endpoints,
      state: 'paused',
      ending: null,
      epoch: 2,
      current: 3,
      epochs: 60,
      startedAt: '2026-11-21T12:38:00.000Z',
    } as const;
    const validated = (k: number) => ({ successRate: successRate(k, 400) });
    const validations = [
      { epoch: 0, successRate: successRate(131, 400), measured: 0 },
      { epoch: 2, successRate: successRate(170, 400), measured: 0 },
    ];
    assert.deepEqual(
      read(
        courseLines(
          { head, epochs, validations, evaluations: [], ending: null },
          { ...canvas, width: 160, timezoneOffset: () => 0 },
        ),
      ),
      [
        'demo  coevolve  paused  epoch 3/60  20261121-demo, started 2026-11-21 12:38',
        'p̂          ▂▄  from 0 to 1',
        'validation ▁█  42.5 % (32.8 % after epoch 0)',
        '',
        'epoch     p̂  95 %       in band  R_env  kept  eff. n  KL agent  KL env  task  answer  rejected  rollouts' +
          '        time  validation',
        '    1  0.14  0.09–0.22   50.0 %   0.90  7/14     6.5         –       –  31.5    14.2         3       512' +
          '       2.5 s           –',
        '    2  0.47  0.38–0.57   50.0 %   0.90  7/14     6.5     0.012   0.034  31.5    14.2         3       512' +
          '  1 min 01 s      42.5 %',
      ],
    );
    const narrow = read(
      courseLines(
        { head, epochs, validations, evaluations: [], ending: null },
        { ...canvas, width: 60, timezoneOffset: () => 0 },
      ),
    );
    assert.deepEqual(narrow.slice(-3), [
      'epoch     p̂  95 %       in band  R_env  kept  validation',
      '    1  0.14  0.09–0.22   50.0 %   0.90  7/14           –',
      '    2  0.47  0.38–0.57   50.0 %   0.90  7/14      42.5 %',
    ]);
    const branched = read(
      courseLines(
        {
          ...{ head, epochs, evaluations: [], ending: null },
          validations: [...validations, ...[100, 120].map((k, i) => ({ ...validated(k), epoch: 3 + i, measured: 3 }))],
        },
        { ...canvas, width: 160, timezoneOffset: () => 0 },
      ),
    );
    assert.equal(branched[2], 'validation ▁█  30.0 % (25.0 % after epoch 3)', 'another reward judges from epoch 3 on');
    const empty = read(
      courseLines(
        { head, epochs: [], validations: [], evaluations: [], ending: null },
        { ...canvas, timezoneOffset: () => 0 },
      ),
    );
    assert.equal(empty.at(-1), 'No epoch is finished yet.');
    const over = (ending: Ending): string | undefined =>
      read(
        courseLines(
          { head: { ...head, state: 'finished', ending }, epochs, validations, evaluations: [], ending: 'Why.' },
          { ...canvas, timezoneOffset: () => 0 },
        ),
      )[0]?.split('  ')[2];
    assert.deepEqual((['epochs', 'early-stop', 'no-tasks'] as const).map(over), [
      'finished',
      'finished (early-stop)',
      'finished (no-tasks)',
    ]);
  });

  it('gives families by how hard they were', () => {
    const family = (id: string, successes: number, attempts: number): FamilyScore => ({
      id,
      seed: 'base.17',
      origin: 'generated',
      plan: 'steps 4 tools 5 fillers 1',
      tasks: [{ id: `${id}.v0`, successes, attempts, environmentReward: 0.9, weight: 0.5 }],
      successRate: successRate(successes, attempts),
      estimate: 0.5,
      environmentReward: 0.9,
      kept: 1,
      weight: 0.5,
      complexity: {},
    });
    const scored: EventOf<'families.scored'> = {
      v: 1,
      seq: 1,
      at: 0,
      type: 'families.scored',
      epoch: 3,
      scope: 'family',
      families: [family('e3.f0', 32, 32), family('e3.f1', 13, 32), family('e3.f2', 1, 32), family('e3.f3', 0, 0)],
      successRate: successRate(46, 96),
      baseSuccessRate: successRate(0, 0),
      inBand: 0.25,
      environmentReward: 0.5,
      familiesKept: 1,
      effectiveSampleSize: 1,
    };
    assert.deepEqual(read(familyLines(scored, band, { ...canvas, width: 80 })), [
      'family     p̂  95 %       solved  tasks  R_env  weight  seed     plan',
      'too hard (1)',
      'e3.f2   0.03  0.01–0.16    1/32      1   0.90   0.500  base.17  steps 4 tools 5…',
      'in band (1)',
      'e3.f1   0.41  0.26–0.58   13/32      1   0.90   0.500  base.17  steps 4 tools 5…',
      'too easy (1)',
      'e3.f0   1.00  0.89–1.00   32/32      1   0.90   0.500  base.17  steps 4 tools 5…',
      'not measured (1)',
      'e3.f3      –  –             0/0      1   0.90   0.500  base.17  steps 4 tools 5…',
    ]);
    const [hard] = scored.families;
    assert.ok(hard !== undefined);
    const cut = read(familyLines({ ...scored, families: [{ ...hard, cutOff: 7 }] }, band, canvas));
    assert.match(cut.join('\n'), /\/32 cut/);
    assert.deepEqual(read(familyLines({ ...scored, families: [] }, band, canvas)), [
      'No family was scored in this epoch.',
    ]);
  });

  it('gives tasks with their attempts, rejected ones with the reason', () => {
    const rejected: Task = {
      ...task,
      id: 'e3.f2.v2',
      status: 'rejected',
      cause: 'gold',
      note: 'gold differs',
      prompt: [],
      complexity: {},
    };
    const attempts = [trace(0, { success: true, reward: 1 }), trace(1), trace(2, { error: 'boom' })];
    assert.deepEqual(
      read(
        taskLines(
          [
            { task, traces: attempts },
            { task: rejected, traces: [] },
          ],
          canvas,
        ),
      ),
      [
        'task      status    attempts  complexity         text',
        'e3.f2.v1  accepted  ✓✗?       steps 1, menu 2.5  MENU increase f3 REQ first add rice n4',
        'e3.f2.v2  gold                                   gold differs',
      ],
    );
  });

  it('gives one attempt as a conversation, and obeys nothing a model wrote', () => {
    assert.deepEqual(read(traceLines(trace(1, { note: 'call 1 differs', parts: { calls: 0.5 } }), task, canvas)), [
      'e3/e3.f2.v1/r1  not solved  reward 0.25  agent@2  3 tokens  ended by stop',
      'e3.f2.v1  steps 1 tools 1 fillers 0  steps 1, menu 2.5',
      '',
      'user',
      '  MENU increase f3',
      '  REQ first add rice n4',
      '',
      'assistant',
      '  first increase f3␛[2J rice n4',
      '',
      'gold',
      '  first increase f3 rice n4',
      '',
      'verdict',
      '  call 1 differs',
      '  calls 0.50',
    ]);
    const broken = read(traceLines(trace(1, { error: 'the checker threw', valid: false }), null, canvas));
    assert.match(broken[0] ?? '', /the checker failed .* not valid$/);
    assert.ok(broken.includes('  the checker threw'));
    const printed = read(traceLines(trace(1, { output: 'saw 3\u001b[2J\n\n' }), null, canvas));
    assert.deepEqual(printed.slice(-3), ['', 'printed by the reward', '  saw 3␛[2J']);
  });
});
