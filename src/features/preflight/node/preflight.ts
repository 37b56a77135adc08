/**
 * The checks before a run, in order, each reported when it begins and ends. Writes nothing where runs are kept; a check
 * that depends on a failed one says so.
 */
import * as l10n from '@vscode/l10n';
import type { Clock, Log } from '../../../engine/ports.ts';
import { fewBaseTasks } from '../../../shared/experiment/contradictions/batch.ts';
import { undividedBatch } from '../../../shared/experiment/contradictions/jobs.ts';
import type { Contradiction } from '../../../shared/experiment/contradictions/contradiction.ts';
import { parseExperiment } from '../../../shared/experiment/parse.ts';
import type { AsSeen } from '../../../shared/experiment/fields/overriddenFiles.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { noCounts, withCounts } from '../../../shared/experiment/tasks/taskCounts.ts';
import { expectedWork, type HeldOutTasks, type Workload } from '../../../shared/experiment/workload.ts';
import { checkIds, type Check, type Finding } from '../contract.ts';
import { loadEvaluation } from '../../../launch/inputs/evaluation.ts';
import { heldOutTasks } from '../../../launch/inputs/heldOutTasks.ts';
import { loadInputs } from '../../../launch/inputs/inputs.ts';
import { leftOutSentence, type LeftOutTasks } from '../../../shared/leftOutTasks.ts';
import { loadDomains } from '../../../launch/domains/domainFile.ts';
import { loadCurriculum } from '../../../launch/scoring/curriculum.ts';
import { loadReward } from '../../../launch/scoring/reward.ts';
import { loadTestSets } from '../../../launch/inputs/testSets.ts';
import { loadWeights } from '../../../launch/policies/weightFiles.ts';
import { done, running, skipped } from './check.ts';
import { expectedBytes, roomIn, tightness } from './disk.ts';
import { describe, misfits } from './endpoints.ts';
import { embeddingServer } from './embeddings.ts';
import { episodeServers, type Episodes } from './episodes.ts';
import { Places } from './findings.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { reach } from './reach.ts';
import { endedAtPace, measuredPace, paceSentence } from './pace.ts';
import { openRehearsal, type Rehearsal } from './rehearsal.ts';
import { judgeGold, judgeTrial } from './judge.ts';
import { promptsOf } from './prompts.ts';
import { capitalised, filesSentence, moneySentence, trainedOn, weightsSentence, workSentences } from './sentences.ts';
import { testSetsCheck } from './testSets.ts';
import { tryOne, type Trial } from './trial.ts';
import type { Doubt } from '../../../domains/probes.ts';
import { bytes, epochsText } from './words.ts';

export interface Preflight {
  /** The experiment's name in findings, and its text. */
  file: string;
  text: string;
  /** `path=value` texts on top of the file. */
  overrides?: readonly string[];
  /** How the file sees what they name, where they were typed elsewhere. */
  asSeen?: AsSeen;
  /** Relative file names in it start here. */
  directory: string;
  /** Where the run would be kept. */
  root: string;
  /** The folder of built files. */
  dist: URL;
  clock: Clock;
  log: Log;
  keys: Keys;
  /** Ends the checks, and closes everything opened. */
  signal: AbortSignal;
}

/** The result of all checks. */
export interface Cleared {
  /** As it was checked; null when it cannot be read. */
  experiment: Experiment | null;
  work: Workload | null;
}

/** Most seconds that one task end to end may take. */
const patience = 60;
/** A server that was there a moment ago and is away: the check ends within seconds. */
const triesUnreachable = 4;
const late = (): string => l10n.t('No answer within {0} s.', patience);

/** Yields every change of a check, and ends with the result; after `signal` it just ends. */
export async function* preflight(options: Preflight): AsyncGenerator<Check | Cleared, void> {
  const { signal, directory } = options;
  const cancelled = (): boolean => signal.aborted;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patience * 1000)]);

  yield running('experiment');
  const parsed = parseExperiment(options.text, options.file, options.overrides, options.asSeen);
  if ('problems' in parsed) {
    yield done('experiment', l10n.t('The experiment cannot be used as it is.'), parsed.problems);
    for (const id of checkIds.slice(1)) yield skipped(id, l10n.t('Needs an experiment that can be read.'));
    yield { experiment: null, work: null };
    return;
  }
  const { experiment, warnings, placeOfField } = parsed;
  const places = new Places(placeOfField);
  const { name, mode, epochs, preset } = experiment;
  yield done(
    'experiment',
    `${trainedOn(experiment)} ${l10n.t('“{0}”: mode {1}, {2}, preset “{3}”.', name, mode, epochsText(epochs), preset)}`,
    warnings,
  );

  yield running('inputs');
  const left: LeftOutTasks[] = [];
  const tell = (found: LeftOutTasks) => left.push(found);
  const inputs = await settled(
    async () => {
      const domains = await loadDomains(experiment, directory, options.dist);
      const files = {
        domains,
        inputs: await loadInputs(experiment, directory, domains, tell),
        reward: await loadReward(experiment, directory, options.dist),
        curriculum: await loadCurriculum(experiment, directory, options.dist),
        evaluation: await loadEvaluation(experiment, directory, options.dist),
        testSets: await loadTestSets(experiment, directory, options.dist, tell),
      };
      const sets = await testSetsCheck(experiment, { directory, loaded: files.testSets });
      const heldOut = heldOutTasks(experiment, files.inputs);
      return { ...files, sets, heldOut, ...(await promptsOf(experiment, files, options.dist)) };
    },
    places,
    '',
    '',
  );
  if (cancelled()) return;
  const unread = l10n.t('A file that the experiment names cannot be used.');
  yield 'value' in inputs
    ? {
        ...done('inputs', filesText(experiment, inputs.value, left), [
          ...left.flatMap(({ leftOut }) => leftOut.map((one) => places.ofProblem(one))),
          ...doubted(inputs.value.doubts, places),
          ...inputs.value.sets.doubts.map((facts) => places.finding(facts)),
        ]),
        prompts: inputs.value.prompts,
      }
    : done('inputs', unread, inputs.findings);

  yield running('weights');
  const weights = await settled(() => loadWeights(experiment, directory), places, 'endpoints', '');
  if (cancelled()) return;
  yield 'value' in weights
    ? done('weights', weightsSentence(experiment), [])
    : done('weights', l10n.t('The weights cannot be used.'), weights.findings);

  let trial: Trial | null = null;
  if ('value' in inputs && 'value' in weights) {
    yield running('endpoints');
    const files = { ...inputs.value, weights: weights.value };
    const remedy = l10n.t('See the log; if the endpoint is elsewhere, see whether it runs.');
    const own = new Places(placeOfField, experiment);
    const reached = await settled(() => reach(experiment, { ...options, signal: limit }), own, 'endpoints', remedy);
    const unreached = 'value' in reached ? reached.value.map((facts) => places.finding(facts)) : reached.findings;
    const opened: Settled<Rehearsal> =
      unreached.length > 0
        ? { findings: unreached }
        : await settled(
            () => openRehearsal(experiment, files, { ...options, signal: limit, triesUnreachable }),
            own,
            'endpoints',
            remedy,
          );
    if (cancelled()) {
      if ('value' in opened) await opened.value.close();
      return;
    }
    if ('value' in opened) {
      try {
        const needs = { ...options, directory, signal: limit };
        const played = await settled(() => episodeServers(experiment, needs), own, 'domain.file', serverRemedy());
        const embedded = await settled(() => embeddingServer(experiment, needs), own, 'generation.embeddingUrl', '');
        if (cancelled()) return;
        yield endpointsCheck(experiment, opened.value, [played, embedded], places);
        yield running('reward');
        yield await judgeGold(opened.value, places);
        yield running('trial');
        const tried = await settled(
          () => tryOne(experiment, opened.value),
          own,
          'endpoints',
          l10n.t('See the log for what the endpoint answered.'),
        );
        if (cancelled()) return;
        if ('value' in tried) trial = tried.value;
        yield 'value' in tried
          ? judgeTrial(experiment, tried.value, places)
          : done('trial', limit.aborted ? late() : l10n.t('It broke off.'), tried.findings);
      } finally {
        await opened.value.close();
      }
    } else {
      yield done('endpoints', limit.aborted ? late() : l10n.t('An endpoint cannot be opened.'), opened.findings);
      for (const id of ['reward', 'trial'] as const) yield skipped(id, l10n.t('Needs both endpoints.'));
    }
  } else {
    const why = l10n.t('Needs the files that the experiment names.');
    for (const id of ['endpoints', 'reward', 'trial'] as const) yield skipped(id, why);
  }
  if (cancelled()) return;

  const drawn = 'value' in inputs ? (inputs.value.evaluation?.tasks.length ?? 0) : null;
  const base = 'value' in inputs ? inputs.value.base : noCounts.base;
  const counted = withCounts(experiment, { base, evaluation: drawn });
  // Settings that are short by themselves were warned of with the experiment.
  const few = [fewBaseTasks, undividedBatch].flatMap((check) =>
    check(experiment) === null ? (check(counted) ?? []) : [],
  );
  const heldOut = 'value' in inputs ? inputs.value.heldOut : null;
  const expected = expectedWork(counted, trial?.lengths ?? null, heldOut);
  const pace = await measuredPace(experiment, trial, options);
  const work = endedAtPace(experiment, expected, pace);
  if (cancelled()) return;
  const beside = { run: pace?.run ?? null, tried: trial === null ? null : expected };
  const amounts = [
    ...workSentences(work, beside),
    moneySentence(experiment, work),
    paceSentence(experiment, work, pace),
  ];
  yield done('work', amounts.filter((text) => text !== '').join('\n'), shortfall(few, places));

  yield running('disk');
  yield await diskCheck(work, trial, options.root, places);
  yield { experiment, work };
}

const shortfall = (few: readonly Contradiction[], places: Places): Finding[] =>
  few.map((one) => places.finding({ ...one, field: one.fields[0] ?? '' }));

const filesText = (
  experiment: Experiment,
  { heldOut, sets }: { heldOut: HeldOutTasks; sets: { sentence: string } },
  left: readonly LeftOutTasks[],
): string =>
  [`${filesSentence(experiment, heldOut)}${sets.sentence}`, ...left.map((found) => leftOutSentence(found))].join(' ');

type Settled<T> = { value: T } | { findings: Finding[] };

async function settled<T>(work: () => Promise<T>, places: Places, field: string, remedy: string): Promise<Settled<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { findings: places.thrown(error, field, remedy) };
  }
}

const serverRemedy = (): string => l10n.t('See whether the server that the domain file names runs.');

function endpointsCheck(
  experiment: Experiment,
  { ports }: Rehearsal,
  beside: readonly Settled<Episodes>[],
  places: Places,
): Check {
  const roles = ['agent', 'environment'] as const;
  const findings = roles.flatMap((role) => misfits(experiment, role, ports[role]));
  const words = roles.map((role) => describe(experiment, role, ports[role]));
  return done(
    'endpoints',
    [`${capitalised(words.join('; '))}.`, ...beside.flatMap((one) => ('value' in one ? one.value.words : []))].join(
      ' ',
    ),
    [
      ...findings.map((facts) => places.finding(facts)),
      ...beside.flatMap((one) =>
        'value' in one ? one.value.findings.map((facts) => places.finding(facts)) : one.findings,
      ),
    ],
  );
}

async function diskCheck(work: Workload, trial: Trial | null, root: string, places: Places): Promise<Check> {
  const room = await roomIn(root);
  if ('problem' in room) return done('disk', l10n.t('Runs cannot be kept there.'), [places.finding(room.problem)]);
  const free = bytes(room.free);
  if (trial === null)
    return done('disk', l10n.t('{0} free. How much the run will write is not known without a task.', free), []);
  const needed = expectedBytes(work, trial);
  const tight = tightness(room.free, needed, work.epochs);
  const sentence = l10n.t(
    'The run will write about {0}, at the lengths of the tasks tried; {1} free.',
    bytes(needed),
    free,
  );
  return done('disk', sentence, tight === null ? [] : [places.finding(tight)]);
}

/** Functions of the domain that tell no texts or tasks apart. */
const doubted = (doubts: readonly Doubt[], places: Places): Finding[] =>
  doubts.map(({ message, remedy }) => places.finding({ severity: 'warning', message, remedy, field: 'domain.file' }));
