/** The sentences of the command line for what is not known. */
import * as l10n from '@vscode/l10n';
import type { ShownTokens, Why } from '../contract.ts';

export const whyWords = (why: Why, { other, sampledBy, message }: ShownTokens): string =>
  ({
    'no-logprobs': l10n.t('the server did not return them'),
    'no-words': l10n.t('the model’s tokenizer is not on this machine; name its folder as the endpoint’s tokenizer'),
    server: l10n.t('weights on a server are not asked for it'),
    'not-kept': l10n.t('the run keeps the weights of {0} no more', sampledBy),
    imported: l10n.t('the run was imported: its weights are not here'),
    failed: message ?? l10n.t('{0} could not be loaded', other ?? sampledBy),
    'not-trained': l10n.t('nothing is trained on this attempt'),
    'not-judged': l10n.t('the checker failed on this attempt'),
    alone: l10n.t('fewer than two judged attempts stand beside each other'),
    solved: l10n.t('every attempt at the task solved it: nothing is learned'),
    hopeless: l10n.t('every attempt at the task has this reward: nothing is learned'),
    'too-long': l10n.t('the sequence is longer than rollouts.maxSequence'),
    elsewhere: l10n.t('the run was imported, and nothing was trained here'),
    frozen: l10n.t('the run does not train its agent (agent.train)'),
    'fell-out': l10n.t('enough other groups were complete before this one (rollouts.spare)'),
    'not-updated': l10n.t('the agent’s update with this attempt has not ended'),
    skipped: l10n.t('the agent’s update was skipped'),
    'no-clip': l10n.t('importance_sampling has no bounds'),
    'no-ratio': l10n.t('no ratio is known'),
    'no-advantage': l10n.t('no advantage is known'),
  })[why];
