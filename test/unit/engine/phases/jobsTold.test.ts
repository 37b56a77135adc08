/** The content of a job's dump, and its gaps. */
import assert from 'node:assert/strict';
import { both, eventsOf, small } from '../../../support/scripted/jobRuns.ts';
import { LadderScorer } from '../../../support/scripted/ladder.ts';
import { MemoryRun, runScripted } from '../../../support/scripted/scriptedRun.ts';

const one = small({ epochs: 1 });

describe('attempts of a job', () => {
  it('have as many tokens as its dump counts, the update all of them, an answer the mean', async () => {
    const run = await runScripted(one, new MemoryRun(), both);
    const counted = run.cluster.jobs.get('agent e1-agent')?.outcome.attempts.map(({ tokens }) => tokens ?? 0) ?? [];
    const sum = counted.reduce((all, tokens) => all + tokens, 0);
    assert.ok(sum > 0);
    const [finished] = eventsOf(run, 'rollouts.finished');
    const [updated] = eventsOf(run, 'agent.updated');
    assert.deepEqual([finished?.tokens, updated?.tokens], [sum + 10 * counted.length, sum]);
    assert.equal(finished?.answerLength, sum / counted.length);
  });

  it('count their prompts where its dump tells them, which are no part of an answer', async () => {
    const run = new MemoryRun();
    run.cluster.promptTokens = 100;
    await runScripted(one, run, both);
    const tokens = run.cluster.jobs.get('agent e1-agent')?.outcome.attempts.map((one) => one.tokens ?? 0) ?? [];
    const answers = tokens.reduce((all, count) => all + count, 0);
    const [finished] = eventsOf(run, 'rollouts.finished');
    assert.deepEqual(
      [finished?.tokens, finished?.answerLength],
      [answers + 100 * tokens.length, answers / tokens.length],
    );
  });

  it('whose prompts are not counted leave their tokens unknown, not their answers', async () => {
    const run = new MemoryRun();
    run.cluster.promptTokens = null;
    await runScripted(one, run, both);
    const tokens = run.cluster.jobs.get('agent e1-agent')?.outcome.attempts.map((each) => each.tokens ?? 0) ?? [];
    const answers = tokens.reduce((all, count) => all + count, 0);
    const [finished] = eventsOf(run, 'rollouts.finished');
    assert.deepEqual([finished?.tokens, finished?.answerLength], [null, answers / tokens.length]);
    assert.equal(eventsOf(run, 'epoch.finished')[0]?.summary.tokens, null);
  });

  it('that are not counted leave the tokens of attempts, update and epoch unknown, and are no short answers', async () => {
    const run = new MemoryRun();
    run.cluster.counts = ({ index }) => index > 0;
    await runScripted(one, run, both);
    const attempts = run.cluster.jobs.get('agent e1-agent')?.outcome.attempts ?? [];
    const counted = attempts.flatMap(({ tokens }) => tokens ?? []);
    assert.ok(counted.length > 0 && counted.length < attempts.length);
    const sum = counted.reduce((all, tokens) => all + tokens, 0);
    const [finished] = eventsOf(run, 'rollouts.finished');
    assert.equal(eventsOf(run, 'agent.updated')[0]?.tokens, null);
    assert.deepEqual([finished?.tokens, finished?.answerLength], [null, sum / counted.length]);
    assert.equal(eventsOf(run, 'epoch.finished')[0]?.summary.tokens, null);
    const trained = run.traces.filter(({ purpose }) => purpose === 'train');
    assert.equal(trained.length, attempts.length);
    for (const { id, sequences } of trained) assert.equal(sequences.length, id.endsWith('/r0') ? 0 : 1);

    const silent = new MemoryRun();
    silent.cluster.counts = () => false;
    await runScripted(one, silent, both);
    assert.equal(eventsOf(silent, 'rollouts.finished')[0]?.answerLength, null);
  });

  it('that could not be judged here are not judged otherwise', async () => {
    class Broken extends LadderScorer {
      override score(...[task, trace]: Parameters<LadderScorer['score']>) {
        return { ...super.score(task, trace), success: false, reward: 0, error: 'the checker broke' };
      }
    }
    const run = await runScripted(one, new MemoryRun(), { ...both, ports: { scorer: new Broken() } });
    const [finished] = eventsOf(run, 'rollouts.finished');
    const attempts = run.cluster.jobs.get('agent e1-agent')?.outcome.attempts ?? [];
    assert.ok(attempts.some(({ reward }) => reward > 0));
    assert.deepEqual([finished?.checkerErrors, finished?.disagreements], [attempts.length, undefined]);
  });

  it('are recorded task by task, and nothing for a task of which there are none', async () => {
    const run = new MemoryRun();
    run.cluster.drops = ({ task }) => task.endsWith('v0');
    const appended: number[] = [];
    const records = {
      appendTasks: (tasks: typeof run.tasks) => Promise.resolve(void run.tasks.push(...tasks)),
      appendTraces: (traces: typeof run.traces) => {
        appended.push(traces.length);
        return Promise.resolve(void run.traces.push(...traces));
      },
      tasksOf: (epoch: number) => Promise.resolve(run.tasks.filter((task) => task.epoch === epoch)),
      tracesOf: (epoch: number) => Promise.resolve(run.traces.filter((trace) => trace.epoch === epoch)),
      appendCompletions: () => Promise.resolve(),
      completionsOf: () => Promise.resolve([]),
    };
    await runScripted(one, run, { ...both, ports: { records } });
    assert.ok(appended.length > 0);
    assert.ok(!appended.includes(0), appended.join());
  });
});
