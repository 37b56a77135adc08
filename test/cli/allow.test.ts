import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { join } from 'node:path';
import { ended, Workspace, type Ended } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

describe('genenv allow', () => {
  const workspace = new Workspace();
  const received: IncomingHttpHeaders[] = [];
  let server: Server;
  let origin: string;

  before(async () => {
    server = createServer(({ headers }, response) => {
      received.push(headers);
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"no"}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
    origin = `http://127.0.0.1:${address.port}`;
  });
  beforeEach(() => received.splice(0));
  after(() => {
    server.close();
    workspace.remove();
  });

  const genenv = (...args: string[]): Promise<Ended> =>
    ended(workspace.start(args, { AWS_SECRET_ACCESS_KEY: 'aws-secret', GENENV_TEST_KEY: 'own-key' }));
  const sent = () => [...new Set(received.map((headers) => headers.authorization))];
  const experiment = (kind: string, key: string | null, url = origin): object => {
    const endpoint = { kind, url, key, model: 'm', tokenizer: null };
    return { ...tiny, mode: 'random', endpoints: { environment: endpoint } };
  };

  it('is needed before a key that a file names is sent to an address that it names', async () => {
    for (const kind of ['tinker', 'openai']) {
      workspace.write('strange.genenv.json', experiment(kind, '${env:AWS_SECRET_ACCESS_KEY}'));
      for (const command of ['check', 'run', 'doctor']) {
        const { code, out, err } = await genenv(command, 'strange.genenv.json');
        assert.notEqual(code, 0);
        assert.match(`${out}${err}`, /Sending \$\{env:AWS_SECRET_ACCESS_KEY\} to http:\S+ is not allowed yet/);
        assert.ok(`${out}${err}`.replaceAll(/\s+/g, ' ').includes(`genenv allow AWS_SECRET_ACCESS_KEY@${origin}`));
      }
    }
    assert.deepEqual(received, [], 'not even a health probe');
  });

  it('is needed for other machines without a key, too', async () => {
    workspace.write('away.genenv.json', experiment('openai', null, 'http://192.0.2.1:8000/v1'));
    const { code, out } = await genenv('check', 'away.genenv.json');
    assert.equal(code, 1);
    assert.match(out, /Requests to http:\/\/192\.0\.2\.1:8000 are not allowed yet/);
  });

  it('holds for one key and one address, is listed, and is taken back', async () => {
    const permit = `GENENV_TEST_KEY@${origin}`;
    const allowed = await genenv('allow', `${permit}/v1`);
    assert.deepEqual(
      [allowed.code, allowed.out],
      [0, `\${env:GENENV_TEST_KEY} may be sent to ${origin}, and nowhere else.\n`],
    );
    const file = join(workspace.dir, '.config', 'genenv', 'allowed.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /own-key/);
    assert.equal((await genenv('allow')).out, `${permit}\n`);

    workspace.write('own.genenv.json', experiment('openai', '${env:GENENV_TEST_KEY}'));
    await genenv('check', 'own.genenv.json');
    assert.deepEqual(sent(), ['Bearer own-key']);

    received.splice(0);
    workspace.write('strange.genenv.json', experiment('openai', '${env:AWS_SECRET_ACCESS_KEY}'));
    await genenv('check', 'strange.genenv.json');
    assert.deepEqual(received, []);

    const whole = [{ key: '${env:GENENV_TEST_KEY}', origin }];
    assert.deepEqual(JSON.parse((await genenv('allow', permit, '--json')).out), { file, allowed: whole });
    const left = await genenv('allow', '--remove', permit, '--json');
    assert.deepEqual([left.code, JSON.parse(left.out)], [0, { file, allowed: [] }]);
    assert.match((await genenv('allow')).out, /^Nothing is allowed yet/);
    assert.equal((await genenv('allow', '--remove', permit)).code, 2);
  });

  it('can be given for one command, and by typing address and key', async () => {
    workspace.write('own.genenv.json', experiment('openai', '${env:GENENV_TEST_KEY}'));
    await genenv('check', 'own.genenv.json', '--allow', `GENENV_TEST_KEY@${origin}`);
    assert.deepEqual(sent(), ['Bearer own-key']);
    received.splice(0);
    await genenv('doctor', `${origin}/v1`, '--kind', 'openai', '--key', '${env:GENENV_TEST_KEY}');
    assert.deepEqual(sent(), ['Bearer own-key']);
    assert.match((await genenv('allow')).out, /^Nothing is allowed yet/);
  });

  it('says what is no address, and does not guess at a damaged file', async () => {
    const { code, err } = await genenv('allow', 'sk-1234567890');
    assert.equal(code, 2);
    assert.match(err, /NAME@URL/);
    await genenv('allow', 'https://gpu.example');
    workspace.write(join('.config', 'genenv', 'allowed.json'), '{"allowed": [{"key": "sk-literal"}]}');
    for (const args of [['allow'], ['check', 'own.genenv.json']]) {
      const refused = await genenv(...args);
      assert.equal(refused.code, 2);
      assert.match(refused.err, /allowed\.json is damaged/);
    }
  });
});
