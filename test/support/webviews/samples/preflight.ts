/** A page's state as tests show it. */
import { checkIds, type Check, type CheckId } from '../../../../src/features/preflight/contract.ts';

export const sentences: Partial<Record<CheckId, string>> = {
  experiment: '“embedded demo”: mode coevolve, 100 epochs, preset “embedded”.',
  inputs: '544 base tasks of the storekeeper domain, 400 held out.',
  trial: 'The environment wrote 6 texts, 4 became tasks. The agent solved 3 of 8 attempts (0.1 s).',
};

export function checks(over: Partial<Record<CheckId, Partial<Check>>> = {}): Check[] {
  return checkIds.map((id) => ({
    id,
    state: 'passed',
    message: sentences[id] ?? 'As it should be.',
    findings: [],
    ...over[id],
  }));
}

export const failed: Partial<Check> = {
  state: 'failed',
  message: 'The experiment cannot be used as it is.',
  findings: [
    {
      severity: 'error',
      message: 'α (curriculum.alpha) is 2, but must be a number greater than 0 and less than 1.',
      remedy: 'Leave it out to use 0.5 (preset "embedded").',
      field: 'curriculum.alpha',
      file: '/home/someone/project/demo/embedded.genenv.json',
      line: 3,
      column: 28,
    },
  ],
};
