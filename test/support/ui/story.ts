import { skip } from '../skip.ts';

/**
 * Called inside `describe`: its tests are one story, each continues from the one before it. After a failure the others
 * are skipped with the reason, instead of failing with it.
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
