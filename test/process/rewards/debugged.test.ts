import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { answered, failed } from '../../../src/rewards/processes/answer.ts';
import { DebuggedProgram, type LoadedFile } from '../../../src/rewards/processes/debuggedProgram.ts';
import { RewardLoadError } from '../../../src/rewards/processes/rewardLoadError.ts';
import type { RewardOutcome } from '../../../src/shared/rewards/outcome.ts';
import { dist } from '../../support/built.ts';
import { callOf, drop, rewardFolder } from '../../support/rewards/given.ts';

const targetsSchema = z.tuple([z.object({ webSocketDebuggerUrl: z.string() })]);

/** An editor's debugger after setting its breakpoints. */
async function letRun(port: number): Promise<void> {
  const [{ webSocketDebuggerUrl }] = targetsSchema.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json());
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.runIfWaitingForDebugger' }));
  await once(socket, 'message');
  socket.close();
}

interface Session {
  folder: string;
  loaded: LoadedFile | null;
  judged: number[];
  outcomes: readonly RewardOutcome[];
}

/** Judges answers by a file under a debugger that only lets it run. @param during with the process, at each verdict */
async function debugged(
  files: Readonly<Record<string, string>>,
  answers: readonly string[],
  during: (process: DebuggedProgram<RewardOutcome>) => void = () => undefined,
): Promise<Session> {
  const folder = await rewardFolder(files);
  const [name = ''] = Object.keys(files);
  const session: Session = { folder, loaded: null, judged: [], outcomes: [] };
  const file = join(folder, name);
  const process = new DebuggedProgram<RewardOutcome>({
    program: { dist, file, language: 'typescript', python: '', megabytes: 0, network: false, debug: { port: 0 } },
    pieces: answers.map((answer) => (ask) => {
      const { task, trace } = callOf(answer);
      const { stopReason } = trace;
      return ask({ task, trace }, { failed, answered: (reply, output) => answered(reply, { stopReason, output }) });
    }),
    loaded: (loaded) => {
      session.loaded = loaded;
      return Promise.resolve('It begins.');
    },
    done: (index) => {
      session.judged.push(index);
      during(process);
      return `${index} is judged.`;
    },
  });
  try {
    await letRun(await process.listening);
    session.outcomes = await process.outcomes;
    return session;
  } finally {
    process.kill();
    await drop(folder);
  }
}

describe('a reward process under a debugger', function () {
  this.timeout(240_000);

  it('judges one call after another; what it is told is no output of a call', async () => {
    const text =
      'export const reward = (_: object, { answer }: { answer: string }): number => {\n  console.log("seen", answer);\n  return Number(answer);\n};\n';
    const { judged, outcomes, loaded, folder } = await debugged({ 'one.reward.ts': text }, ['0.25', '1']);
    assert.deepEqual(judged, [0, 1]);
    assert.deepEqual(
      outcomes.map(({ verdict, output }) => [verdict.success, verdict.reward, output]),
      [
        [false, 0.25, 'seen 0.25\n'],
        [true, 1, 'seen 1\n'],
      ],
    );
    assert.deepEqual(loaded?.files, [join(folder, 'one.reward.ts')]);
  });

  it('tells where the function begins, in whichever file and form it is written', async () => {
    const inner =
      '// A note.\nexport function reward(\n  task: { gold: string },\n  trace: { answer: string },\n): { success: boolean; reward: number } {\n  // Another.\n\n  const right = trace.answer === task.gold;\n  return { success: right, reward: 1 };\n}\n';
    const { loaded, folder, outcomes } = await debugged(
      { 'two.reward.ts': "export { reward } from './inner';\n", 'inner.ts': inner },
      ['it'],
    );
    assert.deepEqual([loaded?.entries['reward']?.file, loaded?.entries['reward']?.line], [join(folder, 'inner.ts'), 8]);
    assert.equal(outcomes[0]?.verdict.success, true);
  });

  it('knows no place of a function without a text of its own, and judges all the same', async () => {
    const text = 'const judge = (_: object, trace: object): number => 1;\nexport const reward = judge.bind(null);\n';
    const { loaded, outcomes } = await debugged({ 'three.reward.ts': text }, ['x']);
    assert.deepEqual(loaded?.entries, {});
    assert.equal(outcomes[0]?.verdict.reward, 1);
  });

  it('says at which line a file does not load', async () => {
    const file = { 'four.reward.ts': 'export const reward = 1;\nthrow new Error("not yet");\n' };
    await assert.rejects(debugged(file, ['x']), (error) => {
      assert.ok(error instanceof RewardLoadError);
      assert.deepEqual([error.reason, error.at?.line], ['load', 2]);
      return true;
    });
  });

  it('has a fault at the call that ends the process, and none after it', async () => {
    const text =
      "export const reward = (_: object, { answer }: { answer: string }) => answer === 'end' ? process.exit(3) : 1;\n";
    const { outcomes } = await debugged({ 'five.reward.ts': text }, ['x', 'end', 'x']);
    assert.deepEqual(
      outcomes.map(({ fault }) => fault?.message ?? null),
      [null, 'It ended its process (exit code 3).'],
    );
  });

  it('that is killed has judged what it had judged', async () => {
    const text = 'export const reward = () => 1;\n';
    const { outcomes } = await debugged({ 'six.reward.ts': text }, ['x', 'y'], (process) => process.kill());
    assert.equal(outcomes.length, 1);
  });
});
