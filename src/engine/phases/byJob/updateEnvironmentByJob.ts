/**
 * The environment's update as a job: reward-weighted regression by resampling. Rows are drawn in proportion to their
 * weights, and the trainer learns each row alike: in expectation the same gradient as weighted rows.
 */
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { EventOf } from '../../../shared/journal/events.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Loop } from '../../loop.ts';
import { resample } from '../../math/resample.ts';
import type { BatchPolicy } from '../../ports.ts';
import { Rng } from '../../random.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { journaledJob, runEnvironmentJob } from './jobs.ts';
import { anchorTexts, type RegressionSet } from '../environment/regressionSet.ts';

type Updated = Omit<EventOf<'environment.updated'>, 'v' | 'seq' | 'at' | 'epoch' | 'type' | 'seconds'>;
type Conversation = readonly Message[];

export async function updateEnvironmentByJob(
  loop: Loop,
  epoch: number,
  policy: BatchPolicy,
  set: RegressionSet,
): Promise<Updated> {
  if (loop.environment.updates === 0) tellWhatIsLeftOut(loop);
  const examples = drawRows(loop, epoch, set);
  const outcome = await runEnvironmentJob(loop, epoch, policy, examples);
  const { version, checkpoint, steps, told } = outcome;
  return {
    version,
    checkpoint,
    families: set.families,
    sequences: examples.length,
    tokens: null,
    steps,
    stoppedBy: 'end',
    effectiveSampleSize: set.effectiveSampleSize,
    loss: told.loss,
    gradNorm: told.gradNorm,
    kl: { update: null, initial: null },
    job: journaledJob(loop, outcome),
  };
}

/**
 * As many rows as the update has steps × minibatch: `baseShare` of them anchors, the rest drawn ∝ weight, at least one a step. Of few
 * base tasks a step has one several times: a job knows no weights.
 */
function drawRows(loop: Loop, epoch: number, { instances }: RegressionSet): Conversation[] {
  const { seed, environment } = loop.experiment;
  const { steps, minibatch, baseShare } = environment;
  const count = Math.round(minibatch * baseShare);
  const anchored = Array.from({ length: steps }, (_, step) => {
    const texts = anchorTexts(loop, epoch, step, count);
    return texts.length === 0 ? [] : repeated(texts, count).map(({ messages }) => messages);
  }).flat();
  const rng = Rng.from(seed, 'resample', epoch);
  const written = instances.flatMap(({ sequence: { context, text }, weight }) =>
    context === undefined ? [] : [{ weight, messages: conversation(context, text) }],
  );
  const own = resample(written, Math.max(steps, steps * minibatch - anchored.length), rng).map(
    ({ messages }) => messages,
  );
  return rng.shuffle([...own, ...anchored]);
}

const repeated = <T>(some: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, i) => some[i % some.length] ?? outOfRange());

/** Text alone: the trainer renders it by its own template. */
const conversation = (context: Conversation, text: string): Conversation => [
  ...context.map(({ role, content }) => ({ role, content })),
  { role: 'assistant', content: text },
];

/** Once a run: settings that supervised training on drawn rows has no place for. */
function tellWhatIsLeftOut({ experiment, ports }: Loop): void {
  const left = withoutPlace(experiment.environment);
  if (left.length === 0) return;
  ports.log.warn(
    `The environment is trained by jobs on resampled rows, which have no KL term and no cap: ${left.join(', ')} have no ` +
      'say, and no KL is measured. Nothing pulls it to its start: environment.learningRate bounds its steps.',
  );
}

function withoutPlace(settings: Experiment['environment']): string[] {
  const { klCoefficient, updateKlCap, totalKlCap, tokenWeights } = settings;
  return [
    ...(klCoefficient === 0 ? [] : [`environment.klCoefficient = ${klCoefficient}`]),
    ...(updateKlCap === null ? [] : [`environment.updateKlCap = ${updateKlCap}`]),
    ...(totalKlCap === null ? [] : [`environment.totalKlCap = ${totalKlCap}`]),
    ...(tokenWeights === 'sequence' ? [] : [`environment.tokenWeights = "${tokenWeights}"`]),
  ];
}
