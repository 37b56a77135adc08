/**
 * The co-evolution of two policies (GenEnv, arXiv 2512.19682, Algorithm 1), top to bottom. Each phase ends with one
 * event, which is its commit point: a resumed run skips what is journaled and repeats, from the newest checkpoints and
 * named random streams, what is not.
 */
import * as l10n from '@vscode/l10n';
import { append } from '../shared/append.ts';
import { withChanges, type TakesHold } from '../shared/experiment/changeable.ts';
import { severalDomains } from '../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { curriculumOf, weighingOf } from '../shared/journal/curriculum.ts';
import type { Control } from '../shared/journal/control.ts';
import { madeIn } from '../shared/journal/dropped.ts';
import type { EpochSummary, JournalEvent } from '../shared/journal/events.ts';
import { figuresOf, tasksOfDomain, validationTasks } from './byDomain.ts';
import { Ahead } from './ahead/ahead.ts';
import { experimentAtStart } from './ahead/asOf.ts';
import { meanAnswerLength } from './answerLength.ts';
import { secondsWorked } from './epochTime.ts';
import { controlledAt } from './curricula/controlled.ts';
import { inEpoch } from './curricula/course.ts';
import { byTask, noneLate } from './late/lateGroups.ts';
import { lateOfShared } from './late/sharedLate.ts';
import { announce } from './spending/announce.ts';
import { LoopError } from './errors.ts';
import { billedIn } from './spending/billed.ts';
import { recall } from './spending/recall.ts';
import { defined } from '../shared/defined.ts';
import { bothOrNeither, learnerAt, type Loop } from './loop.ts';
import { openLoop, type OpenLoop } from './openLoop.ts';
import type { Group } from './phases/attempts/attemptPlan.ts';
import { EarlyAttempts } from './phases/attempts/earlyAttempts.ts';
import { attemptRound } from './phases/attempts/attemptRound.ts';
import { chooseBatch } from './phases/batch.ts';
import { changesNow } from './phases/change.ts';
import { editsNow } from './phases/edits.ts';
import { benchmarkOf, evaluate } from './phases/measuring/evaluate.ts';
import { familiesToWrite, withRanking } from './phases/families.ts';
import { generate } from './phases/generate.ts';
import { refuseEpisodes } from './phases/byJob/jobs.ts';
import { drawnBy, samples } from './phases/given.ts';
import { nextMeasurement } from './phases/measuring/measureEpoch.ts';
import { measuresOf } from './phases/measures.ts';
import { growPools } from './phases/pools.ts';
import { roundsOf } from './phases/rounds.ts';
import { scoreFamilies } from './phases/score.ts';
import { signalsOf } from './phases/signals.ts';
import { whyStop } from './phases/stop.ts';
import { updateAgent } from './phases/updateAgent.ts';
import { streamed, type StreamedPass } from './phases/updates/streamedPass.ts';
import { updateEnvironment } from './phases/environment/updateEnvironment.ts';
import { validate, validates } from './phases/measuring/validate.ts';
import type { Task } from '../shared/records/task.ts';
import type { Trace } from '../shared/records/trace.ts';
import type { PolicyVersion, Ports } from './ports.ts';
import { SlotUse } from './spending/slotUse.ts';
import { applyEvent, emptyState, openEpoch, type OpenEpoch, type RunState } from './state.ts';
import { knownSum } from '../shared/money/knownSum.ts';
import { sum } from '../shared/sum.ts';

type Scores = ReturnType<typeof scoreFamilies>;

type Body = JournalEvent extends infer E ? (E extends JournalEvent ? Omit<E, 'v' | 'seq' | 'at'> : never) : never;

/**
 * Runs an experiment from its start, or from where its journal ends, and yields each event once it is durable.
 * @throws LoopError `paused` when `ports.signal` or `ports.boundary` asks for it: everything finished is on disk.
 */
export async function* coevolve(
  experiment: Experiment,
  ports: Ports,
  resumeFrom: RunState = emptyState,
): AsyncGenerator<JournalEvent, void, undefined> {
  let state = resumeFrom;
  const emit = async (body: Body): Promise<JournalEvent> => {
    const event: JournalEvent = { v: 1, seq: state.seq, at: ports.clock.now(), ...body };
    await ports.journal.append(event);
    state = applyEvent(state, event);
    if (open !== null) {
      open.loop.state = state;
      open.loop.meter.journaled(event);
    }
    return event;
  };
  let open: OpenLoop | null = null;
  const resumed = state.started !== null;
  if (state.finished !== null) return;
  refuseEpisodes(experiment, ports);
  if (!resumed) yield await emit(await start(experiment, ports));
  if (state.agent === null || state.environment === null) {
    throw new LoopError('corrupt-run', l10n.t('The journal does not begin with run.started.'));
  }
  const now = withChanges(experiment, state.changes);
  if (now === null)
    throw new LoopError('corrupt-run', l10n.t('The journal holds a change of settings that does not fit.'));
  open = await openLoop(now, ports, state, {
    agent: await learnerAt(ports.agent, state.agent, resumed),
    environment: await learnerAt(ports.environment, state.environment, resumed),
  });
  const opened = open;
  const { loop } = opened;
  if (resumed) await recall(loop);
  /** Null where every epoch waits for the updates before it. */
  const ahead = experiment.rollouts.staleness === 0 ? null : new Ahead(open, experiment);
  const advanced = (role: 'agent' | 'environment', version: PolicyVersion): void => {
    opened.advance(role, version);
    ahead?.advance(role);
  };
  let early: EarlyAttempts | null = null;
  /** Learns from the round's groups while others are attempted. */
  let stream: StreamedPass | null = null;
  const slots = new SlotUse(ports);
  const change = async function* (epoch: number, moment: TakesHold): AsyncGenerator<JournalEvent> {
    for await (const { event, experiment, settle } of changesNow(loop, moment)) {
      const changed = await emit({ type: 'settings.changed', epoch, ...event });
      loop.set = experiment;
      loop.experiment = inEpoch(experiment, epoch, controlledAt(experiment.curriculum, state, epoch));
      await settle();
      yield changed;
    }
  };
  try {
    if (state.validations.length === 0 && validates(loop, 0, false))
      yield await emit({ epoch: 0, ...(await validate(loop, 0)) });
    const first = benchmarkOf(loop, 0, false);
    if (state.evaluations.length === 0 && first !== null)
      yield await emit({ epoch: 0, ...(await evaluate(loop, 0, first)) });

    for (let epoch = state.summaries.length + 1; epoch <= experiment.epochs; epoch++) {
      if (state.open === null) {
        yield* change(epoch, 'epoch');
        for await (const { event, settle } of editsNow(loop)) {
          yield await emit({ type: 'tasks.edited', epoch, ...event });
          await settle();
        }
      }
      open.enter(epoch);
      slots.begin();
      [early, stream] = [null, null];
      const stop = state.open === null ? whyStop(loop.experiment, state) : null;
      if (stop !== null) {
        yield await emit({ type: 'run.finished', ...stop });
        return;
      }
      if (state.open === null) announce(loop, epoch);
      const sampling = ahead?.enter(epoch) ?? null;
      if (state.open === null) {
        const versions = { agent: loop.agent.version, environment: loop.environment.version };
        const settings = curriculumOf(loop.experiment);
        const sampled = sampling === null ? {} : { sampled: sampling.versions };
        const control = controlledAt(loop.set.curriculum, state, epoch);
        const chosen = control === null ? {} : { control: withoutAlpha(control) };
        yield await emit({ type: 'epoch.started', epoch, settings, ...chosen, versions, ...sampled });
      }

      /** The events of this epoch so far. */
      const journaled = (): OpenEpoch => state.open ?? openEpoch(epoch, ports.clock.now());
      // Epochs that wait for all groups are of branches, too, whose parent left some late.
      const shared = ports.shared ?? 0;
      const left = ahead === null && epoch === shared + 1 ? state.late.get(shared) : undefined;
      const streaming = (recorded: readonly Trace[], tasks: readonly Task[] | null): StreamedPass | null =>
        left !== undefined ? null : streamed(loop, experimentAtStart(experiment, state, epoch), epoch, recorded, tasks);

      // (1) The environment writes tasks; the agent attempts them; success rates and environment rewards.
      const isAttempted = journaled().attempted.length > 0;
      const writing = sampling !== null || isAttempted ? null : await familiesToWrite(loop, epoch);
      if (writing !== null && !journaled().generated) {
        boundary(ports);
        early = await EarlyAttempts.of(loop, epoch, (recorded) => streaming(recorded, null));
        stream = early?.stream ?? null;
        const families = early?.inOrder(writing.families) ?? writing.families;
        const generated = await generate(loop, epoch, families, (task) => early?.begin(task));
        yield await emit({ type: 'tasks.generated', epoch, ...generated });
      }
      const written = (await sampling?.written)?.generated ?? null;
      if (written !== null) yield await emit({ type: 'tasks.generated', epoch, ...written });
      const [calibrated, mixed]: [Group[], Group[]] = [[], []];
      let groups: Group[] = [];
      await early?.finish();
      const done = (await sampling?.attempted) ?? null;
      const batch = done === null ? await chooseBatch(loop, epoch) : { ...done.round, draws: [] };
      const draws = [...(writing?.draws ?? []), ...batch.draws];
      if (draws.length > 0 && !journaled().drawn) yield await emit({ epoch, ...drawnBy(loop, draws) });
      const rounds = roundsOf(batch, loop.experiment.rollouts.batch);
      const recorded = done === null ? await ports.records.tracesOf(epoch) : [];
      for (const round of rounds) {
        boundary(ports);
        const isLearned = journaled().agent.length > round.number;
        stream = isLearned ? null : (early?.stream ?? streaming(recorded, [...round.calibrated, ...round.mixed]));
        const isCounted = journaled().attempted.length > round.number;
        const older =
          left === undefined || round.number > 0 ? noneLate : await lateOfShared(loop, shared, left, isCounted);
        const attempted =
          done?.attempted ?? (await attemptRound(loop, epoch, round, recorded, early?.begun, stream, older));
        if (!isCounted) {
          const ranking = round.number === 0 ? writing?.ranking : undefined;
          const outcome = ranking === undefined ? attempted.outcome : withRanking(attempted.outcome, ranking);
          yield await emit({ type: 'rollouts.finished', epoch, ...outcome });
        }
        append(calibrated, attempted.calibrated);
        append(mixed, attempted.mixed);
        groups = [...attempted.calibrated, ...attempted.mixed];
        // The last round's update waits for the scoring, to run beside the environment's.
        if (round.last || !experiment.agent.train || isLearned) continue;
        boundary(ports);
        const update = await updateAgent(loop, epoch, round, groups, stream);
        yield await emit({ epoch, ...update });
        if (update.type === 'agent.updated') advanced('agent', update.version);
      }
      let scores: Scores | undefined = journaled().scored;
      if (scores === undefined) {
        yield* change(epoch, 'scoring');
        const { curriculum } = loop.experiment;
        const [families, others] = [byTask(calibrated), byTask(mixed)];
        const signals = await signalsOf(loop, epoch, families);
        const warm = epoch <= curriculum.warmupEpochs;
        scores = scoreFamilies(
          families,
          others,
          { ...curriculum, ...weighingOf(loop.experiment) },
          warm,
          loop.domains,
          signals,
          new Map(journaled().attempted.flatMap(({ cutOff = [] }) => cutOff.map((one) => [one.family, one.left]))),
        );
        const measures = samples(loop) ? { measures: measuresOf([...calibrated, ...mixed], epoch) } : {};
        yield await emit({ type: 'families.scored', epoch, ...scores, ...measures });
      }

      // (2) GRPO for the agent; filter and reward-weighted regression for the environment. Two models, side by side.
      boundary(ports);
      const trainsEnvironment = experiment.mode === 'coevolve';
      const lastRound = rounds.at(-1);
      const agentWaits = experiment.agent.train && journaled().agent.length < rounds.length;
      const [agentUpdate, environmentUpdate] = await bothOrNeither(
        agentWaits && lastRound !== undefined ? updateAgent(loop, epoch, lastRound, groups, stream) : null,
        trainsEnvironment && !journaled().environment ? updateEnvironment(loop, epoch) : null,
      );
      if (agentUpdate !== null) {
        yield await emit({ epoch, ...agentUpdate });
        if (agentUpdate.type === 'agent.updated') advanced('agent', agentUpdate.version);
      }
      if (environmentUpdate !== null) {
        yield await emit({ epoch, ...environmentUpdate });
        if (environmentUpdate.type === 'environment.updated') advanced('environment', environmentUpdate.version);
      }

      // (3) The pools grow.
      if (!journaled().pools) {
        yield await emit({
          epoch,
          ...growPools(state, epoch, [...calibrated, ...mixed], scores.families, loop.domains),
        });
      }
      const affords = loop.meter.admits();
      for (;;) {
        const measure = nextMeasurement(loop, journaled(), affords);
        if (measure === null) break;
        boundary(ports);
        yield await emit({ epoch, ...(await measure()) });
      }
      const summary = summarise(loop, journaled(), scores);
      yield await emit({ type: 'epoch.finished', epoch, summary, ...slots.event });
    }
    const finished = whyStop(loop.experiment, state) ?? {
      reason: 'epochs',
      note: `All ${experiment.epochs} epochs are done.`,
    };
    yield await emit({ type: 'run.finished', ...finished });
  } catch (error) {
    if (ports.signal.aborted && !LoopError.is(error)) throw new LoopError('paused', 'Paused.', { cause: error });
    throw error;
  } finally {
    await early?.stop();
    await stream?.stop();
    await ahead?.stop();
    await open.close();
  }
}

async function start(experiment: Experiment, ports: Ports): Promise<Body> {
  const [agent, environment] = await Promise.all([
    ports.agent.publish('agent@0'),
    ports.environment.publish('environment@0'),
  ]);
  const domains = severalDomains(experiment);
  const base = ports.domain.seeds('base');
  const validation = validationTasks(ports.domain.seeds('validation'), domains, experiment.validation.tasks);
  return {
    type: 'run.started',
    mode: experiment.mode,
    seed: experiment.seed,
    epochs: experiment.epochs,
    agent,
    environment,
    checkpoints: {
      agent: await ports.agent.checkpoint('agent@0'),
      environment: await ports.environment.checkpoint('environment@0'),
    },
    base: base.length,
    validation: validation.length,
    ...figuresOf(domains, (name) => ({
      share: domains?.find((part) => part.name === name)?.share ?? 0,
      base: tasksOfDomain(base, name).length,
      validation: tasksOfDomain(validation, name).length,
    })),
  };
}

/** The settings of the epoch have its α. */
const withoutAlpha = ({ measure, why, since, seen, direction }: Control): Control => ({
  ...{ measure, why, since, seen, direction },
});

function boundary({ signal, boundary: asked }: Ports): void {
  if (signal.aborted || asked?.aborted === true) throw new LoopError('paused', l10n.t('Paused at a phase boundary.'));
}

/** Null where a job did not tell those of its attempts. */
const tokensIn = (phases: readonly (null | undefined | { tokens: number | null })[]): number | null =>
  phases.map((phase) => (phase ? phase.tokens : 0)).reduce(knownSum, 0);

/** The epoch's summary for trees, tables and charts. */
function summarise({ experiment, ports }: Loop, journaled: OpenEpoch, scores: Scores): EpochSummary {
  const { clock, stoodStill = [] } = ports;
  const { epoch, startedAt, generated, attempted, agent, environment, validated, evaluated } = journaled;
  const updated = environment?.type === 'environment.updated' ? environment : null;
  return {
    epoch,
    successRate: scores.successRate,
    inBand: scores.inBand,
    environmentReward: scores.environmentReward,
    familiesKept: scores.familiesKept,
    families: scores.families.length,
    effectiveSampleSize: scores.effectiveSampleSize,
    kl: {
      agent: agent.findLast((update) => update.type === 'agent.updated')?.kl.reference ?? null,
      environment: updated?.kl.initial ?? null,
    },
    taskLength: generated?.taskLength ?? null,
    answerLength: meanAnswerLength(attempted),
    rejected: generated?.rejected ?? {},
    rollouts: sum(attempted.map((round) => madeIn(round).rollouts)),
    tokens: tokensIn([generated, ...attempted.map(madeIn), validated, evaluated]),
    ...defined({ billed: billedIn(experiment.endpoints, [generated, ...attempted, validated, evaluated]) }),
    seconds: secondsWorked({ from: startedAt, to: clock.now() }, stoodStill),
    ...(validated && { validation: validated.successRate }),
    ...(evaluated && { evaluated: evaluated.tasks * evaluated.attempts }),
    ...(scores.domains && {
      domains: scores.domains.map(({ domain, successRate, inBand, environmentReward, familiesKept, families }) => {
        const measured = validated?.domains?.find((own) => own.domain === domain);
        return {
          ...{ domain, successRate, inBand, environmentReward, familiesKept, families },
          ...(measured && { validation: measured.successRate }),
        };
      }),
    }),
  };
}
