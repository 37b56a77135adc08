/**
 * A training server's handling of a batch and a step, measured on a model that was thrown away, in lines of the doctor.
 */
import type { TrainingSemantics } from '../../../../endpoints/tinker/trainingSemantics.ts';
import type { Measured } from '../../../../endpoints/tinker/probeSemantics.ts';
import { no, unknown, yes, type DoctorLine } from '../../../../endpoints/doctorLine.ts';
import { figure } from './subject.ts';

export function semanticsLines(semantics: TrainingSemantics, measured: Measured): DoctorLine[] {
  return [
    reductionLine(semantics, measured),
    ...stepLines(semantics, measured),
    modelsLine(semantics),
    lossesLine(semantics),
  ];
}

function reductionLine({ reduction }: TrainingSemantics, { norms }: Measured): DoctorLine {
  const title = 'What it does with a batch';
  if (norms === null || reduction === null) {
    return unknown(
      title,
      'The server tells no gradient norm.',
      'A run takes it for a sum. If it averages, learning rate and clipping mean something else here.',
    );
  }
  const { once, twice, short, together } = norms;
  const evidence =
    `Beside a gradient norm of ${figure(once)}, the same sequence twice has ${figure(twice)}, shortened ` +
    `${figure(short)}, both lengths together ${figure(together)}.`;
  return reduction === 'sum'
    ? yes(title, evidence, 'It sums over tokens and sequences: normalisation is GenEnv’s own, as the run records it.')
    : yes(
        title,
        evidence,
        'It averages over the tokens of a sequence, then over sequences. GenEnv scales every batch so that a step is the same.',
      );
}

function stepLines({ adam, clips }: TrainingSemantics, { moved }: Measured): DoctorLine[] {
  const title = 'Optimiser settings';
  const evidence = `An ordinary step moved logprobs by ${figure(moved.free)}, one with a huge epsilon by ${figure(moved.held)}.`;
  if (adam === null) {
    return [unknown(title, evidence, 'Whether betas, epsilon, weight decay and clipping are applied was not seen.')];
  }
  if (adam === 'rate') {
    const meaning = 'Only the learning rate is applied. Set betas, epsilon, weight decay and clipping on the server.';
    return [no(title, evidence, meaning)];
  }
  const clipping = `With the gradient clipped to next to nothing a step moved them by ${figure(moved.clipped)}.`;
  return [
    yes(title, evidence, 'Betas and epsilon are applied as the experiment says.'),
    clips === false
      ? no('Gradient clipping', clipping, 'adam.gradClipNorm has no effect here: set it on the server.')
      : yes('Gradient clipping', clipping, 'adam.gradClipNorm is applied.'),
  ];
}

function modelsLine({ models }: TrainingSemantics): DoctorLine {
  const title = 'Two training models at once';
  if (models === null) return unknown(title, 'It was not tried.', 'It shows when both policies are trained here.');
  return models === 'several'
    ? yes(title, 'A second one was made beside the first.', 'Both policies can be trained here.')
    : no(title, 'A second one beside the first was refused.', 'Give each policy that is trained a server of its own.');
}

function lossesLine({ losses }: TrainingSemantics): DoctorLine {
  const title = 'Losses between two steps';
  const meaning = 'GenEnv puts a step between different losses on any server.';
  if (losses === null) return unknown(title, 'The server tells no gradient norm.', meaning);
  return losses === 'apart'
    ? yes(title, 'A second loss before the step counted for itself.', meaning)
    : yes(title, 'A second loss before the step was taken for the first one.', meaning);
}
