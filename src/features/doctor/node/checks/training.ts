/** Whether training does what it is asked for: losses by their formulas, direction, published weights, checkpoints. */
import * as l10n from '@vscode/l10n';
import type { AdamParams, Datum, Loss, PolicyVersion, TrainablePolicy } from '../../../../engine/ports.ts';
import { lossOf } from '../../../../endpoints/tinker/shift.ts';
import { broken, no, unknown, yes, type DoctorLine } from '../../../../endpoints/doctorLine.ts';
import { distance, figure, type Subject } from './subject.ts';

const adam: AdamParams = {
  ...{ learningRate: 1e-4, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, gradClipNorm: 0 },
};
const steps = 3;
/** Clears what was accumulated and changes nothing. */
const standStill: AdamParams = { ...adam, learningRate: 0 };
/** Ratios and advantages that reach both sides of every clip (the check vectors of the protocol). */
const ratios = [1.221403, 0.606531, 1, 1.6];
const advantages = [1, -1, 2, -0.5];
const losses: readonly Loss[] = [
  { name: 'cross_entropy' },
  { name: 'importance_sampling' },
  { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 },
  { name: 'cispo', clipLow: 0.8, clipHigh: 1.2 },
];
/** The tolerance for sums in 16 or 32 bits, in another order. */
const sameLoss = 2e-3;

/** `version`: the weights that the policy has now. What is trained is a copy that is thrown away. */
export async function* examineTraining(
  subject: Subject,
  policy: TrainablePolicy,
  version: PolicyVersion,
): AsyncGenerator<DoctorLine> {
  const { example, signal } = subject;
  let datum: Datum;
  let before: readonly number[];
  try {
    const { tokens, spans } = await policy.render(example);
    const [start, end] = spans.at(-1) ?? [1, tokens.length];
    datum = { tokens, weights: tokens.map((_, i) => (i >= start && i < end ? 1 : 0)) };
    before = (await policy.score(version, [tokens], signal))[0] ?? [];
    const pulled = await policy.accumulate([datum], { name: 'cross_entropy' });
    const most = distance(pulled.logprobs[0] ?? [], before, 1);
    const evidence = l10n.t('Logprobs of the same {0} tokens differ by {1} at most.', tokens.length, figure(most));
    yield most <= 0.15
      ? yes(
          l10n.t('Trainer and sampler are one model'),
          evidence,
          l10n.t('What is sampled can be trained on as it is.'),
        )
      : no(
          l10n.t('Trainer and sampler are one model'),
          evidence,
          l10n.t('Importance ratios would be wrong from the first step.'),
        );
    await policy.step(adam);
    for (let i = 1; i < steps; i++) {
      await policy.accumulate([datum], { name: 'cross_entropy' });
      await policy.step(adam);
    }
  } catch (error) {
    yield broken(l10n.t('Training'), error);
    return;
  }
  yield* learned(policy, datum, before, signal);
  for (const loss of losses) yield await lossLine(policy, datum, loss);
  yield await reduction(policy, datum);
  yield await roundTrip(subject, policy, datum);
}

async function* learned(
  policy: TrainablePolicy,
  datum: Datum,
  before: readonly number[],
  signal: AbortSignal,
): AsyncGenerator<DoctorLine> {
  const weighed = (logprobs: readonly number[]): number =>
    logprobs.reduce((sum, value, i) => sum + value * (datum.weights?.[i] ?? 0), 0);
  const was = weighed(before);
  let trained: readonly number[];
  try {
    trained = await look(policy, datum);
    const is = weighed(trained);
    const evidence = l10n.t(
      'Log-likelihood of the trained answer went from {0} to {1} in {2} steps.',
      figure(was),
      figure(is),
      steps,
    );
    yield is > was
      ? yes(l10n.t('A step goes in the right direction'), evidence, l10n.t('The gradient has the right sign.'))
      : no(
          l10n.t('A step goes in the right direction'),
          evidence,
          l10n.t('The model would unlearn, or nothing is trained at all.'),
        );
  } catch (error) {
    yield broken(l10n.t('A step goes in the right direction'), error);
    return;
  }
  const title = l10n.t('Published weights are those just trained');
  try {
    const version = await policy.publish('doctor@1');
    const [served = []] = await policy.score(version, [datum.tokens], signal);
    const apart = distance(served, trained, 1);
    const moved = distance(before, trained, 1);
    const evidence = l10n.t(
      'The published weights score the tokens {0} from the trained ones; training had moved them by {1}.',
      figure(apart),
      figure(moved),
    );
    yield apart <= Math.max(0.02, moved / 3)
      ? moved <= 0.02
        ? unknown(title, evidence, l10n.t('Training moved too little to tell old weights from new ones.'))
        : yes(title, evidence, l10n.t('Each epoch samples from the weights it should.'))
      : no(title, evidence, l10n.t('An epoch would sample from old weights.'));
  } catch (error) {
    yield broken(title, error);
  }
}

async function roundTrip(subject: Subject, policy: TrainablePolicy, datum: Datum): Promise<DoctorLine> {
  const title = l10n.t('A checkpoint brings the weights back');
  try {
    const trained = await look(policy, datum);
    const ref = await policy.checkpoint('doctor');
    // Opened anew, as a resumed run does: what still lives on the server must not stand in for the checkpoint.
    const opened = await subject.reopen();
    const again = await opened.restore(ref);
    try {
      if (again.accumulate === undefined)
        return no(title, l10n.t('What is restored cannot be trained.'), l10n.t('A run could not be resumed.'));
      const { logprobs } = await again.accumulate([{ ...datum, weights: datum.tokens.map(() => 0) }], {
        name: 'cross_entropy',
      });
      const apart = distance(logprobs[0] ?? [], trained, 1);
      const evidence = l10n.t('The restored model scores the tokens {0} from the saved one.', figure(apart));
      return apart <= 0.05
        ? yes(title, evidence, l10n.t('A run can be paused, resumed and branched.'))
        : no(title, evidence, l10n.t('A resumed run would continue from other weights.'));
    } finally {
      await again.dispose();
      await opened.dispose();
    }
  } catch (error) {
    return broken(title, error);
  }
}

/** The weights that are trained now, without changing them. */
async function look(policy: TrainablePolicy, datum: Datum): Promise<readonly number[]> {
  const { logprobs } = await policy.accumulate([{ ...datum, weights: datum.tokens.map(() => 0) }], {
    name: 'cross_entropy',
  });
  await policy.step(standStill);
  return logprobs[0] ?? [];
}

async function lossLine(policy: TrainablePolicy, datum: Datum, loss: Loss): Promise<DoctorLine> {
  const title = l10n.t('Loss {0}', loss.name);
  if (!policy.capabilities.losses.includes(loss.name))
    return no(title, l10n.t('It does not have it.'), l10n.t('Choose another "agent.loss".'));
  try {
    const asked = loss.name === 'cross_entropy' ? datum : off(datum, await look(policy, datum));
    const { logprobs, loss: own, told = own } = await policy.accumulate([asked], loss);
    await policy.step(standStill);
    const expected = lossOf(loss, asked, logprobs[0] ?? []);
    if (told === null)
      return unknown(
        title,
        l10n.t('It is taken; the server tells no loss to compare with ours ({0}).', figure(expected)),
        l10n.t('The gradient is only known by its effect.'),
      );
    const same = Math.abs(told - expected) <= sameLoss * Math.max(1, Math.abs(expected));
    const evidence = l10n.t('{0}, and by the formula over its own logprobs {1}.', figure(told), figure(expected));
    return same
      ? yes(title, evidence, l10n.t('It is the sum over tokens that the method asks for.'))
      : no(title, evidence, l10n.t('It is another loss, or not a sum over tokens: updates would be of another size.'));
  } catch (error) {
    return broken(title, error);
  }
}

/** As if it had been sampled by a policy that is off by known ratios. */
function off({ tokens, weights = [] }: Datum, logprobs: readonly number[]): Datum {
  const at = <T>(values: readonly T[], i: number, none: T): T => values[i % values.length] ?? none;
  const trained = (i: number): boolean => (weights[i] ?? 0) !== 0;
  return {
    tokens,
    logprobs: tokens.map((_, i) => (trained(i) ? (logprobs[i] ?? 0) - Math.log(at(ratios, i, 1)) : 0)),
    advantages: tokens.map((_, i) => (trained(i) ? at(advantages, i, 0) : 0)),
  };
}

/** Whether the same sequence twice pulls twice as hard. */
async function reduction(policy: TrainablePolicy, datum: Datum): Promise<DoctorLine> {
  const title = l10n.t('Gradients are sums');
  try {
    const norms: (number | null)[] = [];
    for (const data of [[datum], [datum, datum]]) {
      await policy.accumulate(data, { name: 'cross_entropy' });
      norms.push((await policy.step(standStill)).gradNorm);
    }
    const [once, twice] = norms;
    if (once === null || twice === null || once === undefined || twice === undefined || once === 0) {
      return unknown(
        title,
        l10n.t('The server tells no gradient norm.'),
        l10n.t('If it averages, the effective learning rate depends on the batch; Adam hides most of it.'),
      );
    }
    const ratio = twice / once;
    const evidence = l10n.t(
      'The same sequence twice has a gradient {0} times as large ({1}, {2}).',
      figure(ratio),
      figure(once),
      figure(twice),
    );
    return Math.abs(ratio - 2) < 0.1
      ? yes(title, evidence, l10n.t('Normalisation is GenEnv’s own, as the run records it.'))
      : no(
          title,
          evidence,
          ratio < 1.1
            ? l10n.t('The server averages: gradient clipping and the learning rate mean something else here.')
            : l10n.t('Updates are of another size than asked for.'),
        );
  } catch (error) {
    return broken(title, error);
  }
}
