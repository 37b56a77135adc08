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
    silences.over('http://gpu1:8000');
    assert.equal(silenceText(silences.now), 'no answer from gpu2:8000');
    silences.over('http://gpu2:8000');
    assert.equal(silenceText(silences.now), null);
  });

  it('are those whose requests are sent again, signs of life aside', async () => {
    const time = new ManualTime();
    const silences = new Silences(time);
    const silent = (): number => silences.now.length;
    const away = new Set(['/heartbeat', '/sample']);
    const { client: http } = await meetings.meet(
      (response, { path }) => sendJson(response, {}, away.has(path) ? 503 : 200),
      { silences, time },
    );
    await failure(http.send({ method: 'GET', path: '/heartbeat', urgent: true, tries: 1 }));
    time.pass(10_000);
    assert.equal(silent(), 0);
    const sample = http.send({ method: 'GET', path: '/sample' });
    while (silent() === 0) await time.passWait(0, 30_000);
    assert.deepEqual(
      silences.now.map(({ url, what }) => [url, /503/.test(what)]),
      [[http.url, true]],
    );
    await time.until(() => time.waits.includes(16_000));
    away.delete('/heartbeat');
    await http.send({ method: 'GET', path: '/heartbeat', urgent: true });
    assert.equal(silent(), 1);
    away.clear();
    await time.passWait(0, 30_000);
    await sample;
    assert.equal(silent(), 0);
  });

  it('are none whose failed request is given up, as of what a server need not know', async () => {
    const time = new ManualTime();
    const silences = new Silences(time);
    const { client: http } = await meetings.meet((response) => sendJson(response, {}, 500), { silences, time });
    const asked = failure(http.send({ method: 'GET', path: '/props', tries: 2 }));
    await time.passWait(0, 30_000);
    await asked;
    time.pass(60_000);
    assert.deepEqual(silences.now, []);
  });
});
