/** A token's figures and the reasons of missing ones, in words. */
import * as l10n from '@vscode/l10n';
import type { Figure, ShownToken, ShownTokens, Why } from '../../src/features/tokens/contract.ts';
import { fixed, rate } from '../../src/shared/text/figures/numbers.ts';
import { signed } from '../../src/shared/text/figures/shares.ts';

/** Three digits after the point, as in the table. */
export const three = (value: number): string => fixed(value, 3);

export const shownText = ({ text, id }: ShownToken): string => text ?? `#${id}`;

export const clipWord = (clip: NonNullable<ShownToken['clip']>): string =>
  ({
    free: l10n.t('not clipped'),
    above: l10n.t('clipped above'),
    below: l10n.t('clipped below'),
  })[clip];

/** All that is known of a token, in one line. */
export function tokenWords(token: ShownToken, { other }: ShownTokens): string {
  const { sampled, entropy, now, ratio, advantage, clip } = token;
  const told = (value: number | null, say: (value: string) => string, show = three): string[] =>
    value === null ? [] : [say(show(value))];
  return [
    shownText(token),
    ...told(sampled, (value) => l10n.t('log-probability {0}', value)),
    ...told(
      sampled,
      (value) => l10n.t('probability {0}', value),
      (value) => rate(Math.exp(value)),
    ),
    ...told(entropy, (value) => l10n.t('entropy {0}', value)),
    ...told(now, (value) => l10n.t('under {0} {1}', other ?? '', value)),
    ...told(ratio, (value) => l10n.t('ratio {0}', value)),
    ...told(
      advantage,
      (value) => l10n.t('advantage {0}', value),
      (value) => signed(value, 2),
    ),
    ...(clip === null ? [] : [clipWord(clip)]),
  ].join(' · ');
}

const named = (figure: Figure): string =>
  ({
    text: l10n.t('Texts of single tokens'),
    sampled: l10n.t('Log-probabilities as sampled'),
    entropy: l10n.t('Entropies'),
    now: l10n.t('Log-probabilities under another version'),
    advantage: l10n.t('Advantages'),
    clip: l10n.t('Clipped tokens'),
  })[figure];

function reason(why: Why, { sampledBy, other, message }: ShownTokens): string {
  switch (why) {
    case 'no-logprobs':
      return l10n.t('the server did not return them');
    case 'no-words':
      return l10n.t('the model’s tokenizer is not on this machine; name its folder as the endpoint’s tokenizer');
    case 'server':
      return l10n.t('a server is not asked for them');
    case 'not-kept':
      return l10n.t('the run does not keep the weights of {0} any more', sampledBy);
    case 'imported':
      return l10n.t('the run was imported, without weights');
    case 'failed':
      return message ?? l10n.t('{0} could not be loaded', other ?? sampledBy);
    case 'not-trained':
      return l10n.t('nothing is trained on this attempt');
    case 'not-judged':
      return l10n.t('the checker failed on this attempt');
    case 'alone':
      return l10n.t('fewer than two attempts at the task were judged');
    case 'solved':
      return l10n.t('every attempt solved the task, so nothing is learned');
    case 'hopeless':
      return l10n.t('every attempt has this reward, so nothing is learned');
    case 'too-long':
      return l10n.t('the sequence is longer than rollouts.maxSequence');
    case 'elsewhere':
      return l10n.t('the run was imported, and nothing was trained here');
    case 'frozen':
      return l10n.t('the run does not train its agent (agent.train)');
    case 'fell-out':
      return l10n.t('enough other groups were complete before this one (rollouts.spare)');
    case 'not-updated':
      return l10n.t('the agent’s update with this attempt has not ended');
    case 'skipped':
      return l10n.t('the agent’s update was skipped');
    case 'no-clip':
      return l10n.t('the loss importance_sampling has no bounds');
    case 'no-ratio':
      return l10n.t('no ratio is known');
    case 'no-advantage':
      return l10n.t('no advantage is known');
  }
}

/** `Entropies are not known: a server is not asked for them.` */
export const unknownWords = (figure: Figure, why: Why, tokens: ShownTokens): string =>
  l10n.t('{0} are not known: {1}.', named(figure), reason(why, tokens));
