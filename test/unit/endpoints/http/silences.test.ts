/** Servers that answer nothing are known with how long and why. */
import { strict as assert } from 'node:assert';
import { Silences } from '../../../../src/endpoints/http/silences.ts';
import { silenceInFull, silenceText } from '../../../../src/shared/text/silence.ts';
import { sendJson } from '../../../support/endpoints/httpServer.ts';
import { ManualTime } from '../../../support/endpoints/manualTime.ts';
import { failure, Meetings } from '../../../support/endpoints/meetings.ts';

describe('silent servers', () => {
  const meetings = new Meetings();
  afterEach(() => meetings.close());

  it('count from the first failure after the last answer, once nothing else came for ten seconds', () => {
    const time = new ManualTime();
    const silences = new Silences(time);
    silences.failed('http://gpu1:8000', 'status 503');
    time.pass(9_999);
    assert.deepEqual(silences.now, []);
    time.pass(1);
    silences.failed('http://gpu1:8000', 'connection refused');
    silences.failed('http://gpu2:8000', 'connection refused');
    assert.deepEqual(silences.now, [{ url: 'http://gpu1:8000', seconds: 10, what: 'connection refused' }]);
    assert.equal(silenceText(silences.now), 'no answer from gpu1:8000');
    assert.deepEqual(silences.now.map(silenceInFull), ['gpu1:8000 for 10 s: connection refused']);
    time.pass(10_000);
    assert.equal(silenceText(silences.now), 'no answer from 2 servers');
    silences.answered('http://gpu1:8000');
    assert.equal(silenceText(silences.now), 'no answer from gpu2:8000');
    silences.answered('http://gpu2:8000');
    assert.equal(silenceText(silences.now), null);
  });

  it('are told by every request but signs of life, and end with any answer', async () => {
    const clock = new ManualTime();
    const silences = new Silences(clock);
    const silent = () => silences.now;
    let status = 503;
    const { client: http } = await meetings.meet((response) => sendJson(response, {}, status), { silences });
    await failure(http.send({ method: 'GET', path: '/heartbeat', urgent: true, tries: 1 }));
    clock.pass(10_000);
    assert.equal(silent().length, 0);
    await failure(http.send({ method: 'GET', path: '/sample', tries: 1 }));
    clock.pass(10_000);
    assert.deepEqual(
      silent().map(({ url, what }) => [url, /503/.test(what)]),
      [[http.url, true]],
    );
    status = 200;
    await http.send({ method: 'GET', path: '/heartbeat', urgent: true });
    assert.equal(silent().length, 1);
    await http.send({ method: 'GET', path: '/sample' });
    assert.equal(silent().length, 0);
  });
});
