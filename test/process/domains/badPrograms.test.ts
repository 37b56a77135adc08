/** An attempt's result by its program's behaviour: a fault affects only its own attempt, and is reported. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { DomainError } from '../../../src/domains/domainError.ts';
import { DomainHost } from '../../../src/domains/domainHost.ts';
import { FileDomain } from '../../../src/domains/fileDomain.ts';
import { programsOf } from '../../../src/domains/programs/programLeader.ts';
import { attempt } from '../../../src/engine/phases/attempts/attempt.ts';
import type { Attempts } from '../../../src/engine/phases/attempts/attemptPlan.ts';
import { openScorer } from '../../../src/launch/scoring/openScorer.ts';
import { judgedByDomain } from '../../../src/shared/domains/domainFile.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { dist } from '../../support/built.ts';
import { behaviourDomain, behaviourPython } from '../../support/programs/behaviour.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { eventually } from '../../support/until.ts';

const worldSchema = z.object({
  env: z.array(z.string()),
  cwd: z.array(z.string()),
  own: z.string(),
  same: z.boolean(),
});

const taskOf = (how: string, evaluation: Task['evaluation'] = { kind: judgedByDomain }): Task => ({
  ...{ v: 1, id: how.replaceAll(' ', '-'), family: 'f', epoch: 0, origin: 'base', seed: null, status: 'accepted' },
  ...{ prompt: [{ role: 'user', content: how }], evaluation, gold: null, complexity: {}, plan: '' },
});

/** Processes of this machine whose command line has these words. */
const running = (words: string): number =>
  execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(words)).length;

describe('an attempt that is a program', function () {
  this.timeout(120_000);
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-programs-'));
    await writeFile(join(dir, 'behaviour.py'), behaviourPython);
  });
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  interface Made {
    attempts: Attempts;
    traces: Map<string, Trace>;
  }

  async function make(
    tasks: readonly Task[],
    text = behaviourDomain(),
    { maxTurns = 4, signal = new AbortController().signal } = {},
  ): Promise<Made> {
    const file = join(dir, 'behaviour.domain.js');
    await writeFile(file, text);
    const limits = { dist, python: 'python3', seconds: 10, megabytes: 256, network: true, workers: 1 };
    const host = await DomainHost.open(file, limits);
    const leader = programsOf(file, host, false);
    assert(leader !== undefined);
    const rules = await openScorer(dist, tasks);
    const domain = new FileDomain(file, host, { base: tasks, heldOut: [] }, rules, { leader });
    const policy = new ScriptedPolicy('agent', 4, new Map(), { samples: [] }, () => 'yes');
    const traces = new Map<string, Trace>();
    const { judge } = domain;
    try {
      const attempts = await attempt(
        {
          experiment: smallExperiment({ rollouts: { maxTurns } }),
          agent: { policy, version: await policy.publish('agent@0') },
          ports: {
            ...{ domain, scorer: rules, signal, ...(judge === null ? {} : { judge }) },
            records: {
              tracesOf: () => Promise.resolve([]),
              appendTraces: (more) => {
                for (const trace of more) traces.set(trace.task, trace);
                return Promise.resolve();
              },
            },
          },
        },
        {
          ...{ purpose: 'train', epoch: 1, tasks, group: 1, minimum: 0, closed: false },
          ...{ temperature: 1, keepSequences: true },
        },
      );
      return { attempts, traces };
    } finally {
      leader.close();
      host.dispose();
    }
  }

  /** The result of each: the error, else success, reward and note. */
  const outcomes = ({ traces }: Made): Record<string, unknown> =>
    Object.fromEntries(
      [...traces].map(([task, { verdict }]) => [
        task,
        verdict.error ?? [verdict.success, verdict.reward, ...(verdict.note === undefined ? [] : [verdict.note])],
      ]),
    );

  it('is judged by its last line or its exit code, and one that breaks by nothing', async () => {
    const made = await make(
      [
        ...['never asks', 'asks once', 'asks twice', 'dies', 'fails', 'says garbage', 'says a reward'],
        ...['says a reward and fails', 'asks for ever', 'prints for ever'],
      ].map((how) => taskOf(how)),
    );
    const name = '“python3 behaviour.py” of behaviour.domain.js';
    assert.deepEqual(outcomes(made), {
      'never-asks':
        `${name} ended with exit code 0 and was given no answer of the agent. ` +
        'Ask the address in OPENAI_BASE_URL with the key in OPENAI_API_KEY.',
      'asks-once': [true, 1],
      'asks-twice': [true, 1],
      dies: `${name} was ended by SIGKILL.`,
      fails: [false, 0, 'Exit code 1. It said: ValueError: the dice fell off the table'],
      'says-garbage': `${name} gave {"reward":7}; it must be {"reward": 0 to 1, "success": true or false}.`,
      'says-a-reward': [true, 0.25, 'quarter'],
      'says-a-reward-and-fails': [true, 1],
      'asks-for-ever': `${name} was ended: it went on asking after it had used all its answers (rollouts.maxTurns).`,
      'prints-for-ever': `${name} was ended: it printed more than 16 MB.`,
    });
    assert.equal(made.attempts.unanswered, undefined);
    const told = made.traces.get('says-a-reward');
    assert.match(told?.verdict.output ?? '', /^thinking …\n\{"reward": 0.25.*\ndone$/s);
    const twice = made.traces.get('asks-twice');
    assert(twice !== undefined);
    assert.deepEqual(
      twice.messages.map(({ content }) => content),
      ['hello', 'yes', 'sure?', 'yes'],
    );
    assert.equal(twice.sequences.length, 1);
  });

  it('is told what it asks wrongly, and may go on', async () => {
    const made = await make([taskOf('asks wrongly')]);
    const { output } = made.traces.get('asks-wrongly')?.verdict ?? {};
    const said = (output ?? '').split('\n');
    assert.match(said[0] ?? '', /not the key of an attempt.*OPENAI_API_KEY/);
    assert.match(said[1] ?? '', /“gpt-5” does not exist here.*OPENAI_MODEL/);
    assert.match(said[2] ?? '', /not JSON/);
    assert.match(output ?? '', /expected number to be >=1/);
    assert.deepEqual(outcomes(made), { 'asks-wrongly': [true, 1] });
  });

  it('is judged by its line alone, or by its exit code alone, where its file says so', async () => {
    const by = async (reward: string): Promise<unknown> =>
      outcomes(
        await make(
          [taskOf('asks once'), taskOf('says a reward and fails')],
          behaviourDomain(`({ command: ['python3', 'behaviour.py'], reward: '${reward}' })`),
        ),
      );
    assert.deepEqual(await by('line'), {
      'asks-once': '“python3 behaviour.py” of behaviour.domain.js ended with exit code 0 and no line {"reward": …}.',
      'says-a-reward-and-fails': [true, 1],
    });
    assert.deepEqual(await by('exit'), {
      'asks-once': [true, 1],
      'says-a-reward-and-fails': [false, 0, 'Exit code 3.'],
    });
  });

  it('cannot forge what the domain judges, nor what a rule does', async () => {
    const judge = `export const judge = (task, trace) => trace.answer === 'no';`;
    const made = await make([taskOf('says a reward'), taskOf('fails')], behaviourDomain(undefined, judge));
    assert.deepEqual(outcomes(made), {
      'says-a-reward': [false, 0],
      fails:
        '“python3 behaviour.py” of behaviour.domain.js ended with exit code 1. ' +
        'It said: ValueError: the dice fell off the table',
    });
    const ruled = await make([{ ...taskOf('says a reward', { kind: 'number' }), gold: '7' }]);
    assert.equal(ruled.traces.get('says-a-reward')?.verdict.success, false);
  });

  it('has its seconds and its megabytes', async () => {
    const limited = `({ command: ['python3', 'behaviour.py'], seconds: 2, megabytes: 150 })`;
    const made = await make([taskOf('hangs')], behaviourDomain(limited));
    assert.match(made.traces.get('hangs')?.verdict.error ?? '', /took more than 2 s beside its waiting/);
    const full = await make(
      [taskOf('takes memory')],
      behaviourDomain(`({ command: ['python3', 'behaviour.py'], megabytes: 150 })`),
    );
    assert.match(full.traces.get('takes-memory')?.verdict.error ?? '', /took more than 150 MB/);
  });

  it('sees what programs need to start, its own variables and a folder of its own', async () => {
    process.env['GENENV_SECRET_OF_A_PERSON'] = 'hidden';
    try {
      const made = await make([taskOf('tells its world')]);
      const text = made.traces.get('tells-its-world')?.verdict.output ?? '';
      const world = worldSchema.parse(JSON.parse(text));
      for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'GENENV_TASK', 'PATH'])
        assert(world.env.includes(name), name);
      assert(!world.env.includes('GENENV_SECRET_OF_A_PERSON'));
      assert.deepEqual([world.cwd, world.own, world.same], [['task.json'], 'mine', true]);
    } finally {
      delete process.env['GENENV_SECRET_OF_A_PERSON'];
    }
  });

  it('takes everything that it started with it', async () => {
    await make([taskOf('leaves a child')]);
    await eventually(async () => assert.equal(await Promise.resolve(running('sleep 987654')), 0));
  });

  it('is ended when the run is paused', async () => {
    const ending = new AbortController();
    const made = make([taskOf('hangs'), taskOf('leaves a child')], behaviourDomain(), { signal: ending.signal });
    await eventually(async () => assert.equal(await Promise.resolve(running(join(dir, 'behaviour.py'))), 1));
    ending.abort(new Error('paused'));
    await assert.rejects(made, /paused/);
    assert.equal(running(join(dir, 'behaviour.py')), 0);
  });

  it('stops the run where this machine has not what it starts', async () => {
    await assert.rejects(
      make([taskOf('asks once')], behaviourDomain(`({ command: ['genenv-no-such-program'] })`)),
      (error) => DomainError.is(error) && /genenv-no-such-program.*cannot be started: .*ENOENT/.test(error.message),
    );
  });

  it('that its file does not describe is not answered, and the others are', async () => {
    const made = await make(
      [taskOf('asks once'), taskOf('asks twice')],
      behaviourDomain(`task.id === 'asks-once' ? { command: [] } : ({ command: ['python3', 'behaviour.py'] })`),
    );
    assert.deepEqual(outcomes(made), { 'asks-twice': [true, 1] });
    assert.match(
      made.attempts.unanswered?.causes[0]?.cause ?? '',
      /^“program” of behaviour.domain.js: “command” is not as expected/,
    );
  });
});
