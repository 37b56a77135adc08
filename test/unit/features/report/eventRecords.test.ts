import assert from 'node:assert/strict';
import { crc32c, scalarsRecord, versionRecord } from '../../../../src/features/report/core/eventRecords.ts';
import { epochScalars, validationScalars } from '../../../../src/features/report/core/scalars.ts';
import { EpochFold } from '../../../../src/runs/facts/epochFold.ts';
import { eventsOf, referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('event files for TensorBoard', () => {
  it('have the checksum of RFC 3720', () => {
    assert.equal(crc32c(new TextEncoder().encode('123456789')), 0xe3_06_92_83);
    assert.equal(crc32c(new Uint8Array(32)), 0x8a_91_36_aa);
    assert.equal(crc32c(new Uint8Array(32).fill(0xff)), 0x62_a8_ab_43);
  });

  // Written by tensorboard 2.21.0: RecordWriter, and its Event with these fields.
  it('are byte for byte what TensorBoard itself writes', () => {
    assert.equal(
      hex(versionRecord(1.5)),
      '1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c',
    );
    const scalars = [
      { tag: 'successRate/p̂', value: 0.25 },
      { tag: 'b', value: -3 },
    ];
    assert.equal(
      hex(scalarsRecord(1.5, 300, scalars)),
      '300000000000000095f5d05f09000000000000f83f10ac022a220a160a0f73756363657373526174652f70cc82150000803e0a080a016215000040c0e8728848',
    );
  });

  it('hold the figures of an epoch by the names of the report, each once, and no gaps as numbers', async () => {
    const { run } = await runReference(referenceExperiment());
    const fold = new EpochFold();
    for (const event of run.events) fold.add(event);
    for (const { summary } of eventsOf(run, 'epoch.finished')) {
      const row = fold.row(summary.epoch) ?? assert.fail();
      const scalars = new Map(epochScalars(row).map(({ tag, value }) => [tag, value]));
      assert.equal(scalars.size, epochScalars(row).length);
      assert.equal(scalars.get('successRate/p'), summary.successRate.p);
      assert.equal(scalars.get('epoch/familiesKept'), summary.familiesKept);
      assert.equal(scalars.get('curriculum/alpha'), row.curriculum.alpha);
      assert.equal(scalars.has('agent/klInitial'), row.agent.klInitial !== null);
      assert.ok([...scalars.values()].every(Number.isFinite));
      assert.ok(!scalars.has('epoch/epoch'));
    }
  });

  it('hold validations, of single domains too', () => {
    const successRate = { successes: 1, attempts: 2, p: 0.5, low: 0.1, high: 0.9, effective: 2 };
    const row = { successRate, truncated: null, answerLength: null, change: null, unpaired: null };
    const measure = { epoch: 2, fields: ['reward.file'] };
    const tags = validationScalars({
      epoch: 3,
      measure,
      against: 2,
      ...row,
      domains: [{ domain: 'quiz', ...row }],
    }).map(({ tag }) => tag);
    assert.ok(tags.includes('validation/successRate/p') && tags.includes('validation quiz/successRate/p'));
    assert.ok(!tags.some((tag) => tag.endsWith('epoch') || tag.endsWith('against')));
  });
});
