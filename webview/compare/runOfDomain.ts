import type { ComparedRun } from '../../src/features/compare/contract.ts';

/** A run as one of its domains did: without epochs where it has no such domain, its lengths and KL not known. */
export function runOfDomain(run: ComparedRun, name: string): ComparedRun {
  return {
    ...run,
    epochs: run.epochs.flatMap(({ domains, ...epoch }) => {
      const own = domains?.find(({ domain }) => domain === name);
      if (own === undefined) return [];
      const { successRate, inBand, environmentReward } = own;
      return [{ ...epoch, successRate, inBand, environmentReward }];
    }),
    validations: run.validations.flatMap(({ domains, ...validation }) => {
      const own = domains?.find(({ domain }) => domain === name);
      return own === undefined ? [] : [{ ...validation, successRate: own.successRate }];
    }),
  };
}
