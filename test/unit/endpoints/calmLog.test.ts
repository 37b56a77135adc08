import assert from 'node:assert/strict';
import { calmLog } from '../../../src/endpoints/calmLog.ts';

describe('a calm log', () => {
  it('tells once what differs only in numbers, then at 10, 100 and so on', () => {
    const told: string[] = [];
    const tell = (message: string): void => void told.push(message);
    const log = calmLog({ info: tell, warn: tell });
    for (let i = 1; i <= 193; i++) log.warn(`No answer after ${i} attempts.`);
    log.warn('Another thing.');
    assert.deepEqual(told, [
      'No answer after 1 attempts.',
      'No answer after 10 attempts. (10 times by now)',
      'No answer after 100 attempts. (100 times by now)',
      'Another thing.',
    ]);
  });
});
