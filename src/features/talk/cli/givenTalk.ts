/** The conversation that a command line names: a new one, or that of a file with the options given now. */
import { writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { Arguments } from '../../../cli/commandLine.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';
import { versionsOf } from '../../../launch/policies/versionsOf.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { continued, mostPolicies, readTalk, talkText, type Talk } from '../core/talk.ts';

/** @param path of the file; null where none keeps it. @throws UsageError, RunError */
export async function givenTalk(run: RunReader, given: Arguments, path: string | null): Promise<Talk> {
  const settings = settingsOf(given);
  const kept = path === null ? null : await read(path);
  if (path === null || kept === null) return begun(run, settings, { task: given.text('task'), path });
  const of = resolve(dirname(path), kept.run);
  if (of !== resolve(run.dir)) {
    throw new UsageError(`${path} is a conversation about another run: ${of}.`, 'Name that run, or another file.');
  }
  const task = given.text('task');
  if (task !== null && task !== kept.task) {
    throw new UsageError(`${path} is a conversation about ${kept.task ?? 'no task'}.`, 'Name another file.');
  }
  return { ...kept, ...settings };
}

/**
 * Keeps what was made from `before`, with the file's settings where no option is given.
 * @throws TalkError `changed`, UsageError
 */
export async function keptIn(
  path: string,
  given: Arguments,
  { before, after }: { before: Talk; after: Talk },
): Promise<Talk> {
  const talk = { ...continued(before, after, (await read(path)) ?? before), ...settingsOf(given) };
  await writeFile(path, talkText(talk));
  return talk;
}

/** Null for a file that is not there yet. @throws UsageError */
async function read(path: string): Promise<Talk | null> {
  const text = await strictText(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const { talk, problem } = readTalk(text);
  if (talk === null) throw new UsageError(`${path} holds no conversation: ${problem}.`, 'Name another file.');
  return talk;
}

type Settings = Partial<Pick<Talk, 'policies' | 'temperature' | 'maxTokens' | 'seed'>>;

/** Those that are given. @throws UsageError */
function settingsOf(given: Arguments): Settings {
  const policies = [...given.all('by')];
  if (policies.length > mostPolicies) throw new UsageError('--by names more than two versions.', 'Two answer at once.');
  const [typed, maxTokens, seed] = [given.text('temperature'), given.count('max-tokens'), given.count('seed')];
  const temperature = Number(typed);
  if (!(temperature >= 0 && temperature <= 5)) throw new UsageError('--temperature wants a number from 0 to 5.', '');
  return {
    ...(policies.length > 0 && { policies }),
    ...(typed !== null && { temperature }),
    ...(maxTokens !== null && { maxTokens }),
    ...(seed !== null && { seed }),
  };
}

/** @throws UsageError, RunError */
async function begun(
  run: RunReader,
  settings: Settings,
  { task, path }: { task: string | null; path: string | null },
): Promise<Talk> {
  const { temperature, maxTokens } = run.manifest.experiment.rollouts;
  const newest = (await versionsOf(run)).find(({ kept }) => kept);
  const policies = settings.policies ?? (newest === undefined ? [] : [newest.version.name]);
  if (policies.length === 0) throw new UsageError('This run has no version that can answer.', 'Name another run.');
  return {
    ...{ version: 1, task, temperature, maxTokens, seed: 0, exchanges: [], ...settings, policies },
    run: path === null ? run.dir : relative(dirname(path), run.dir).replaceAll('\\', '/'),
  };
}
