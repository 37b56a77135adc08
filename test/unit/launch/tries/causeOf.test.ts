/** Why a run that paused by itself cannot continue: whether it is tried again without limit. */
import assert from 'node:assert/strict';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { causeOf } from '../../../../src/launch/tries/howEnded.ts';
import { StrayFailure } from '../../../../src/launch/strayFailures.ts';
import { RunError } from '../../../../src/runs/store/runError.ts';

describe('the cause of a run’s pause', () => {
  const server = new EndpointError('unreachable', 'There is no server', {
    ...{ endpoint: 'agent', request: 'GET /models', attempts: 1, remedy: 'Start it.' },
  });

  it('is its server or its disk, also where nothing waited for the failure', () => {
    assert.equal(causeOf(server), 'server');
    assert.equal(causeOf(new StrayFailure(server)), 'server');
    assert.equal(causeOf(new RunError('disk-full', { what: 'the disk is full', remedy: '' })), 'disk');
    assert.equal(causeOf(new Error('a phase', { cause: new StrayFailure(server) })), 'server');
  });

  it('is its disk where that was full under an endpoint’s checkpoint, or under the word of another failure', () => {
    const full = (code: string) => Object.assign(new Error('no space'), { code });
    const checkpoint = new EndpointError('failed', 'The checkpoint was not written', {
      ...{ endpoint: 'agent', request: 'save', attempts: 1, remedy: 'Make room.', cause: full('EDQUOT') },
    });
    assert.equal(causeOf(checkpoint), 'disk');
    assert.equal(causeOf(new Error('a phase', { cause: full('ENOSPC') })), 'disk');
    assert.equal(causeOf(new AggregateError([server, full('ENOSPC')], 'both')), 'disk');
    assert.equal(causeOf(new AggregateError([server, full('EIO')], 'both')), 'server');
  });

  it('is a failure of the program where nothing waited for an error of its own, so that its tries are counted', () => {
    assert.equal(causeOf(new StrayFailure(new TypeError('x is undefined'))), 'failed');
    assert.equal(causeOf(new StrayFailure('thrown text')), 'failed');
  });
});
