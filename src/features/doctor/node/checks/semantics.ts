/**
 * A training server's handling of a batch and a step, measured on a model that was thrown away, in lines of the doctor.
 */
import * as l10n from '@vscode/l10n';
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
  const title = l10n.t('What it does with a batch');
  if (norms === null || reduction === null) {
    return unknown(
      title,
      l10n.t('The server tells no gradient norm.'),
      l10n.t('A run takes it for a sum. If it averages, learning rate and clipping mean something else here.'),
    );
  }
  const { once, twice, short, together } = norms;
  const evidence = l10n.t(
    'Beside a gradient norm of {0}, the same sequence twice has {1}, shortened {2}, both lengths together {3}.',
    figure(once),
    figure(twice),
    figure(short),
    figure(together),
  );
  return reduction === 'sum'
    ? yes(
        title,
        evidence,
        l10n.t('It sums over tokens and sequences: normalisation is GenEnv’s own, as the run records it.'),
      )
    : yes(
        title,
        evidence,
        l10n.t(
          'It averages over the tokens of a sequence, then over sequences. GenEnv scales every batch so that a step is the same.',
        ),
      );
}

function stepLines({ adam, clips }: TrainingSemantics, { moved }: Measured): DoctorLine[] {
  const title = l10n.t('Optimiser settings');
  const evidence = l10n.t(
    'An ordinary step moved logprobs by {0}, one with a huge epsilon by {1}.',
    figure(moved.free),
    figure(moved.held),
  );
  if (adam === null) {
    return [
      unknown(title, evidence, l10n.t('Whether betas, epsilon, weight decay and clipping are applied was not seen.')),
    ];
  }
  if (adam === 'rate') {
    const meaning = l10n.t(
      'Only the learning rate is applied. Set betas, epsilon, weight decay and clipping on the server.',
    );
    return [no(title, evidence, meaning)];
  }
  const clipping = l10n.t(
    'With the gradient clipped to next to nothing a step moved them by {0}.',
    figure(moved.clipped),
  );
  return [
    yes(title, evidence, l10n.t('Betas and epsilon are applied as the experiment says.')),
    clips === false
      ? no(l10n.t('Gradient clipping'), clipping, l10n.t('adam.gradClipNorm has no effect here: set it on the server.'))
      : yes(l10n.t('Gradient clipping'), clipping, l10n.t('adam.gradClipNorm is applied.')),
  ];
}

function modelsLine({ models }: TrainingSemantics): DoctorLine {
  const title = l10n.t('Two training models at once');
  if (models === null)
    return unknown(title, l10n.t('It was not tried.'), l10n.t('It shows when both policies are trained here.'));
  return models === 'several'
    ? yes(title, l10n.t('A second one was made beside the first.'), l10n.t('Both policies can be trained here.'))
    : no(
        title,
        l10n.t('A second one beside the first was refused.'),
        l10n.t('Give each policy that is trained a server of its own.'),
      );
}

function lossesLine({ losses }: TrainingSemantics): DoctorLine {
  const title = l10n.t('Losses between two steps');
  const meaning = l10n.t('GenEnv puts a step between different losses on any server.');
  if (losses === null) return unknown(title, l10n.t('The server tells no gradient norm.'), meaning);
  return losses === 'apart'
    ? yes(title, l10n.t('A second loss before the step counted for itself.'), meaning)
    : yes(title, l10n.t('A second loss before the step was taken for the first one.'), meaning);
}
