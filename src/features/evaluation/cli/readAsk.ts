/** The request of `genenv evaluate`, parsed from its words. */
import { join, resolve } from 'node:path';
import { adapterPath, shippedAdapters } from '../../../launch/adapters/adapterPath.ts';
import { dataFolder } from '../../../launch/adapters/locate.ts';
import { readAdapterFile } from '../../../launch/adapters/readAdapterFile.ts';
import type { PolicyChoice } from '../node/openChoice.ts';
import { nearest } from '../../../shared/experiment/problems/nearest.ts';
import { chosenSplits } from '../../../cli/chosenSplits.ts';
import type { Arguments } from '../../../cli/commandLine.ts';
import type { Context } from '../../../cli/context.ts';
import { serverOf } from './serverOf.ts';
import { readExperiment } from '../../../cli/readExperiment.ts';
import { UsageError } from '../../../cli/usageError.ts';
import type { EvaluationAsk } from '../node/evaluationAsk.ts';

/** `ks`: k of pass@k, ascending. @throws UsageError, InputError, RunError */
export async function readAsk(context: Context): Promise<EvaluationAsk & { ks: number[] }> {
  const { terminal, arguments: given } = context;
  const path = await givenAdapter(context);
  const { adapter } = await readAdapterFile(path, given.target);
  const named = given.text('data');
  const data = named === null ? dataFolder(path, adapter.data) : resolve(terminal.cwd, named);
  if (data === null) {
    throw new UsageError('The adapter names no folder of its data.', `Give --data DIR. ${adapter.data.obtain}`);
  }
  const attempts = atLeastOne(given, 'attempts') ?? 1;
  const out = given.text('out');
  return {
    ...{ adapter, adapterFile: path, data, attempts, splits: chosenSplits(adapter, given.all('split')) },
    outside: given.has('outside'),
    sample: atLeastOne(given, 'sample'),
    seed: given.count('seed') ?? 1,
    temperature: temperatureOf(given) ?? (attempts === 1 ? 0 : 0.7),
    maxTokens: atLeastOne(given, 'max-tokens') ?? 1024,
    ks: ksOf(given, attempts),
    policy: await policyOf(context),
    judge: await judgeOf(context),
    folderOf: (name) =>
      out === null ? join(terminal.cwd, '.genenv', 'evaluations', name) : resolve(terminal.cwd, out),
  };
}

/** @throws UsageError for a word that is neither a file nor a shipped adapter */
async function givenAdapter({ terminal, arguments: { target }, dist }: Context): Promise<string> {
  const path = await adapterPath(target, terminal.cwd, dist);
  if (path !== null) return path;
  const names = await shippedAdapters(dist);
  const near = nearest(target, names);
  throw new UsageError(
    `No adapter "${target}" is shipped.`,
    near === null ? `Give a *.adapter.json file, or one of ${names.join(', ')}.` : `Did you mean "${near}"?`,
  );
}

async function judgeOf({ terminal, arguments: given }: Context): Promise<NonNullable<EvaluationAsk['judge']> | null> {
  const file = given.text('judge');
  if (file === null) return null;
  const { experiment } = await readExperiment(terminal.cwd, file, []);
  return { kind: 'experiment', name: experiment.name, experiment };
}

async function policyOf({ terminal, arguments: given, store }: Context): Promise<PolicyChoice> {
  const answers = given.text('answers');
  const who = given.text('policy');
  const version = given.text('version');
  const server = serverOf(given);
  if ([answers, who, server].filter((one) => one !== null).length !== 1) {
    throw new UsageError(
      '"genenv evaluate" needs --policy WHO, --answers FILE or --url URL with --model NAME, one of them.',
      '',
    );
  }
  const isRun = who !== null && who !== 'shipped' && who !== 'gold' && !who.endsWith('.json');
  if (version !== null && !isRun) throw new UsageError('--version is of a run’s agents.', 'Give --policy RUN with it.');
  if (server !== null) return server;
  if (answers !== null) return { kind: 'answers', path: resolve(terminal.cwd, answers) };
  if (who === null || who === 'shipped') return { kind: 'shipped' };
  if (who === 'gold') return { kind: 'gold' };
  if (!isRun) {
    const { experiment } = await readExperiment(terminal.cwd, who, given.all('set'));
    return { kind: 'experiment', name: experiment.name, experiment };
  }
  return { kind: 'run', run: await store.openReader(who), version };
}

function atLeastOne(given: Arguments, option: string): number | null {
  const value = given.count(option);
  if (value === 0) throw new UsageError(`--${option} 0 evaluates nothing.`, 'Give 1 or more.');
  return value;
}

function temperatureOf(given: Arguments): number | null {
  const text = given.text('temperature');
  if (text === null) return null;
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value <= 5) return value;
  throw new UsageError(`--temperature wants a number from 0 to 5, not "${text}".`, '');
}

function ksOf(given: Arguments, attempts: number): number[] {
  const asked = given.all('k').map((text) => {
    const k = Number(text);
    if (/^\d+$/.test(text) && k >= 1 && k <= attempts) return k;
    throw new UsageError(`--k wants a whole number from 1 to the attempts (${attempts}), not "${text}".`, '');
  });
  return [...new Set(asked.length === 0 ? [1, attempts] : asked)].sort((a, b) => a - b);
}
