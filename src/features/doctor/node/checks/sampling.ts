/** Whether sampling and scoring are what training needs: counts, seeds, ends, logprobs. */
import * as l10n from '@vscode/l10n';
import type { PolicyVersion } from '../../../../engine/ports.ts';
import { largest, smallest } from '../../../../shared/extremes.ts';
import { broken, no, unknown, yes, type DoctorLine } from '../../../../endpoints/doctorLine.ts';
import { distance, figure, sampleOf, type Subject } from './subject.ts';
import type { Completion } from '../../../../engine/completion.ts';

/** Servers compute in 16 bits, and sample and score by different kernels: nearer than this is the same. */
const sameLogprob = 0.15;
const crowd = 32;

export async function* examineSampling(subject: Subject, version: PolicyVersion): AsyncGenerator<DoctorLine> {
  const { policy, signal } = subject;
  let first: Awaited<ReturnType<typeof sampleOf>>;
  try {
    first = await sampleOf(subject, version, { n: 4, seed: 11, maxTokens: 64 });
  } catch (error) {
    yield broken(l10n.t('Sampling'), error);
    return;
  }
  const { completions, failures } = first;
  const indices = new Set(completions.map(({ index }) => index));
  yield indices.size === 4
    ? yes(
        l10n.t('Several completions of one request'),
        l10n.t('4 of 4 came.'),
        l10n.t('A group of attempts shares one prompt.'),
      )
    : no(
        l10n.t('Several completions of one request'),
        [l10n.t('{0} of 4 came.', indices.size), ...failures].join(' '),
        l10n.t('Groups would be smaller than they should be.'),
      );
  const [sample] = completions;
  if (sample === undefined) return;
  if (sample.tokens.length === 0) {
    const [evidence, meaning] = [
      l10n.t('None come with a completion.'),
      l10n.t('It can be evaluated here, and not be trained on.'),
    ];
    const mark = policy.capabilities.mode === 'frozen' ? unknown : no;
    yield mark(l10n.t('Token ids and logprobs'), evidence, meaning);
    yield* seeds(subject, version, completions);
    yield* together(subject, version);
    return;
  }
  const finite = completions.every(
    ({ tokens, logprobs }) =>
      tokens.length === logprobs.length && logprobs.every((value) => Number.isFinite(value) && value <= 1e-3),
  );
  yield finite
    ? yes(
        'Logprobs',
        l10n.t(
          'One for each of {0} sampled tokens, all finite.',
          completions.reduce((sum, { tokens }) => sum + tokens.length, 0),
        ),
        l10n.t('Ratios of the update can be computed.'),
      )
    : no(
        'Logprobs',
        l10n.t('Some are missing, positive, or no numbers.'),
        l10n.t('The update would be wrong: it must not be trained here.'),
      );
  yield endsOf(completions);
  yield* seeds(subject, version, completions);
  if (policy.score === undefined) {
    const frozen = policy.capabilities.mode === 'frozen';
    const meaning = l10n.t('KL to a reference and the cap of the environment’s update are not possible.');
    yield (frozen ? unknown : no)(
      l10n.t('Scoring of given tokens'),
      l10n.t('It has no prompt logprobs here.'),
      frozen ? l10n.t('A frozen policy does without.') : meaning,
    );
  } else {
    try {
      const sequences = completions.map(({ promptTokens, tokens }) => [...promptTokens, ...tokens]);
      const scored = await policy.score(version, sequences, signal);
      const most = largest(
        completions.map(({ promptTokens, logprobs }, i) =>
          distance(scored[i]?.slice(promptTokens.length) ?? [], logprobs),
        ),
      );
      const evidence = l10n.t('Scores of sampled tokens differ from their logprobs by {0} at most.', figure(most));
      yield most <= sameLogprob
        ? yes(
            l10n.t('Scoring of given tokens'),
            evidence,
            l10n.t('KL to a reference and the cap of an update can be measured.'),
          )
        : no(
            l10n.t('Scoring of given tokens'),
            evidence,
            l10n.t(
              'What samples and what scores are different models, or logprobs are not of temperature 1: KL would be wrong.',
            ),
          );
    } catch (error) {
      yield broken(l10n.t('Scoring of given tokens'), error);
    }
  }
  yield* together(subject, version);
}

function endsOf(completions: Awaited<ReturnType<typeof sampleOf>>['completions']): DoctorLine {
  const title = l10n.t('End of a turn');
  const stopped = completions.filter(({ stopReason }) => stopReason === 'stop');
  if (stopped.length === 0)
    return unknown(
      title,
      l10n.t('Every completion was cut at its length.'),
      l10n.t('Nothing was seen to end; look at the first traces of a run.'),
    );
  const ends = new Set(stopped.map(({ tokens }) => tokens.at(-1)));
  return ends.size <= 2
    ? yes(
        title,
        l10n.t(
          '{0} of {1} ended, with token {2}, which is among their ids.',
          stopped.length,
          completions.length,
          [...ends].join(l10n.t(' or ')),
        ),
        l10n.t('The model is trained to end its turns, too.'),
      )
    : no(
        title,
        l10n.t('{0} ended with {1} different tokens.', stopped.length, ends.size),
        l10n.t('The token that ends a turn is left out: the model would not learn to stop.'),
      );
}

type Said = Pick<Completion, 'index' | 'tokens' | 'text'>;

/** Ids where they are given: a text may have several. */
const saying = ({ tokens, text }: Said): string => (tokens.length === 0 ? text : tokens.join());

async function* seeds(subject: Subject, version: PolicyVersion, first: readonly Said[]): AsyncGenerator<DoctorLine> {
  const title = l10n.t('Same seed, same answer');
  try {
    const { completions } = await sampleOf(subject, version, { n: 4, seed: 11, maxTokens: 64 });
    const texts = (some: typeof first): string =>
      some
        .map((one) => `${one.index}:${saying(one)}`)
        .sort()
        .join(' ');
    yield texts(first) === texts(completions)
      ? yes(title, l10n.t('The same request gave the same 4 completions.'), l10n.t('A run can be repeated here.'))
      : unknown(
          title,
          l10n.t('The same request gave other completions.'),
          l10n.t('Runs work, and are not repeated exactly: usual on GPUs.'),
        );
    const distinct = new Set(first.map(saying));
    yield distinct.size > 1
      ? yes(
          l10n.t('Completions differ'),
          l10n.t('{0} of {1} are different.', distinct.size, first.length),
          l10n.t('A group tells a task’s success rate.'),
        )
      : unknown(
          l10n.t('Completions differ'),
          l10n.t('All are the same.'),
          l10n.t(
            'The model is sure of this one, or every completion has the same seed: look at the attempts of a run.',
          ),
        );
  } catch (error) {
    yield broken(title, error);
  }
}

async function* together(subject: Subject, version: PolicyVersion): AsyncGenerator<DoctorLine> {
  const title = l10n.t('Requests at once');
  try {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      const began = performance.now();
      await sampleOf(subject, version, { n: 1, seed: 101 + i, maxTokens: 4 });
      times.push(performance.now() - began);
    }
    // The first may have to warm something up.
    const one = smallest(times);
    const again = performance.now();
    const { completions, failures } = await sampleOf(subject, version, {
      n: 1,
      seed: 201,
      maxTokens: 4,
      requests: crowd,
    });
    const all = performance.now() - again;
    const speed = (crowd * one) / all;
    const evidence = l10n.t(
      '{0} of {1} short ones took {2} ms together, one alone {3} ms: {4} times as fast as one after the other.',
      completions.length,
      crowd,
      Math.round(all),
      Math.round(one),
      figure(speed),
    );
    yield failures.length > 0
      ? no(title, [evidence, failures[0] ?? ''].join(' '), l10n.t('Lower "inFlight" of this endpoint.'))
      : yes(
          title,
          evidence,
          speed < 1.5
            ? l10n.t('It works on one at a time: a run is as slow as its attempts are many.')
            : l10n.t('A run keeps many attempts in flight; how many is found while it goes.'),
        );
  } catch (error) {
    yield broken(title, error);
  }
}
