import { skip } from '../skip.ts';

/**
 * Called inside `describe`: its tests are one story, each goes on where the one before it ended. After one that failed the
 * others are skipped and say why, in place of failing with it.
 */
export function story(): void {
  let broken: string | null = null;
  beforeEach(function () {
    if (broken !== null) skip(this, `it goes on where “${broken}” failed`);
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') broken = this.currentTest.title;
  });
}
