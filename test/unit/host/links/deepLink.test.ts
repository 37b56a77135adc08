import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linkTo, placeOfLink } from '../../../../src/features/links/contract.ts';
import type { RunTarget } from '../../../../src/host/trees/target.ts';

describe('links', () => {
  it('name a run by its folder, and what is below it by its id', () => {
    const run = '/home/ada/project/.genenv/runs/20261121-demo';
    assert.deepEqual(linkTo({ run }), { path: '/run/20261121-demo', query: '' });
    assert.deepEqual(linkTo({ run, epoch: 3, task: 'base.17', trace: 'e3/base.17/r0' }), {
      path: '/run/20261121-demo/trace/e3/base.17/r0',
      query: '',
    });
    assert.deepEqual(linkTo({ run, epoch: 3, family: 'e3.f2', task: 'e3.f2.v0' }), {
      path: '/run/20261121-demo/task/e3.f2.v0',
      query: 'epoch=3',
    });
  });

  it('lead back to the place they were made of', () => {
    const name = fc.stringMatching(/^[\w.-]{1,12}$/);
    const place = fc.record(
      { epoch: fc.nat(), family: name, task: name, trace: fc.tuple(name, name, name).map((parts) => parts.join('/')) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(name, place, (id, inside) => {
        const target: RunTarget = { run: `/runs/${id}`, ...inside };
        const back = placeOfLink(linkTo(target));
        assert.equal(back?.id, id);
        const kind = (['trace', 'task', 'family'] as const).find((one) => inside[one] !== undefined);
        if (kind !== undefined) assert.equal(back[kind], inside[kind]);
        if (kind !== 'trace') assert.equal(back.epoch, inside.epoch);
      }),
    );
  });

  it('that are none of ours lead nowhere', () => {
    for (const path of ['', '/', '/run', '/run/', '/walk/x', '/run/x/nothing/y', '/run/x/trace', '/run/x/trace/'])
      assert.equal(placeOfLink({ path, query: '' }), null, path);
    assert.equal(placeOfLink({ path: '/run/x', query: 'epoch=one' }), null);
    assert.equal(placeOfLink({ path: '/run/x', query: `epoch=${'9'.repeat(20)}` }), null);
  });
});
