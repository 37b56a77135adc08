import { rescoredSchema, type Rescored } from '../../shared/records/rescored.ts';
import { traceFlags, type RecordKind } from '../index/recordKind.ts';
import { hashOf } from '../index/recordRow.ts';

/** Verdicts of one rescoring, a line an attempt. */
export const rescoredKind: RecordKind<Rescored> = {
  name: 'verdicts',
  code: 3,
  schema: rescoredSchema,
  facts: factsOf,
  outline: rescoredSchema.transform(factsOf),
};

function factsOf({ id, epoch, task, verdict }: Rescored): ReturnType<RecordKind<Rescored>['facts']> {
  return {
    epoch,
    id: hashOf(id),
    family: hashOf(''),
    task: hashOf(task),
    value: verdict.reward,
    tokens: 0,
    flags:
      (verdict.success ? traceFlags.success : 0) |
      (verdict.valid ? traceFlags.valid : 0) |
      (verdict.error === undefined ? 0 : traceFlags.unjudged),
  };
}
