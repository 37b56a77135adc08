import { limit } from '../../src/sandbox/expressions.ts';

/** Expressions of strangers get two seconds, not five, in this suite: its tests wait for the end of some. */
export function quickExpressions(): void {
  const { seconds } = limit;
  before(() => {
    limit.seconds = 2;
  });
  after(() => {
    limit.seconds = seconds;
  });
}
