/** The doctor at an OpenEnv server: what it says of one that works, is full, is away, or tells little. */
import assert from 'node:assert/strict';
import type { DoctorLine } from '../../../src/endpoints/doctorLine.ts';
import { openenvAt, visitOpenenv } from '../../../src/launch/domains/doctorOpenenv.ts';
import { KeyError } from '../../../src/launch/access/keys.ts';
import { agreedKeys } from '../../support/agreedKeys.ts';
import { FakeOpenenv, observed } from '../../support/openenv/fakeOpenenv.ts';

describe('the doctor at an OpenEnv server', function () {
  this.timeout(60_000);
  let fake: FakeOpenenv;
  beforeEach(async () => {
    fake = new FakeOpenenv();
    await fake.start();
  });
  afterEach(() => fake.stop());

  /** Lines by their titles. */
  async function visit(url = fake.url, reset?: object): Promise<Map<string, DoctorLine>> {
    const needs = {
      ...{ keys: agreedKeys({}), log: { info: () => undefined, warn: () => undefined } },
      signal: new AbortController().signal,
    };
    const lines = new Map<string, DoctorLine>();
    const at = openenvAt(url, null);
    for await (const line of visitOpenenv(reset === undefined ? at : { ...at, reset }, needs))
      lines.set(line.title, line);
    return lines;
  }
  const marks = (lines: ReadonlyMap<string, DoctorLine>): Record<string, string> =>
    Object.fromEntries(Array.from(lines, ([title, { mark }]) => [title, mark]));

  it('tells what it serves, that it resets alike, and leaves no session behind', async () => {
    const lines = await visit();
    assert.deepEqual(marks(lines), {
      ...{ Reached: 'yes', Name: 'yes', Actions: 'yes', Observations: 'yes', Reset: 'yes', Tools: 'yes' },
      ...{ Sessions: 'yes', Repeatable: 'yes' },
    });
    assert.match(lines.get('Name')?.evidence ?? '', /^counter/);
    assert.equal(lines.get('Actions')?.evidence, 'Fields: add.');
    assert.match(lines.get('Sessions')?.meaning ?? '', /up to 64/);
    assert.equal(fake.most, 2);
    assert.equal(fake.open, 0);
    assert.deepEqual(fake.resets, [{ seed: 0 }, { seed: 0 }]);
  });

  it('resets as the first seed task does', async () => {
    await visit(fake.url, { level: 3 });
    assert.deepEqual(fake.resets, [{ level: 3 }, { level: 3 }]);
  });

  it('says of a server of one session that attempts wait for each other', async () => {
    fake.sessions = 1;
    const { mark, evidence, meaning } = (await visit()).get('Sessions') ?? assert.fail();
    assert.equal(mark, 'no');
    assert.match(evidence, /one session/);
    assert.match(meaning, /max_concurrent_envs/);
  });

  it('says that equal resets begin differently', async () => {
    let resets = 0;
    fake.says = ({ type }, { send }) => type === 'reset' && send(observed(resets++));
    const { mark, meaning } = (await visit()).get('Repeatable') ?? assert.fail();
    assert.equal(mark, 'unknown');
    assert.match(meaning, /seed in “reset”/);
  });

  it('ends at a server that is away, with the reason', async () => {
    const { url } = fake;
    await fake.stop();
    const lines = await visit(url);
    assert.deepEqual(marks(lines), { Reached: 'no' });
    assert.match(lines.get('Reached')?.evidence ?? '', /ECONNREFUSED|cannot be reached/);
    await fake.start();
  });

  it('takes a key by reference alone', () => {
    assert.throws(
      () => openenvAt(fake.url, 'sk-secret'),
      (error) => error instanceof KeyError && !error.message.includes('sk-secret'),
    );
  });
});
