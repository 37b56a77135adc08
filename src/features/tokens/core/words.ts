/** The sentences of the command line for what is not known. */
import type { ShownTokens, Why } from '../contract.ts';

export const whyWords = (why: Why, { other, sampledBy, message }: ShownTokens): string =>
  ({
    'no-logprobs': 'the server did not return them',
    'no-words': 'the model’s tokenizer is not on this machine; name its folder as the endpoint’s tokenizer',
    server: 'weights on a server are not asked for it',
    'not-kept': `the run keeps the weights of ${sampledBy} no more`,
    imported: 'the run was imported: its weights are not here',
    failed: message ?? `${other ?? sampledBy} could not be loaded`,
    'not-trained': 'nothing is trained on this attempt',
    'not-judged': 'the checker failed on this attempt',
    alone: 'fewer than two judged attempts stand beside each other',
    solved: 'every attempt at the task solved it: nothing is learned',
    hopeless: 'no attempt at the task solved it: nothing is learned',
    'too-long': 'the sequence is longer than rollouts.maxSequence',
    'no-clip': 'importance_sampling has no bounds',
    'no-ratio': 'no ratio is known',
    'no-advantage': 'no advantage is known',
  })[why];
