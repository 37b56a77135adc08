import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SshShell } from '../../../src/endpoints/verl/launchers/shell.ts';
import { endpointDefaults, endpointSchema } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { sshAddressOf } from '../../../src/shared/experiment/endpoints/sshAddress.ts';
import { machineTime } from '../../../src/endpoints/time.ts';

const taken = (url: string): boolean => endpointSchema.safeParse({ ...endpointDefaults.verl, url }).success;

describe('an address for ssh', () => {
  it('has a user, a host and a port', () => {
    assert.deepEqual(sshAddressOf('ssh://box'), { user: null, host: 'box', port: null });
    assert.deepEqual(sshAddressOf('ssh://me@gpu_1.lab.org:2222'), { user: 'me', host: 'gpu_1.lab.org', port: 2222 });
    assert.deepEqual(sshAddressOf('ssh://me%40corp@[fe80::1]'), { user: 'me@corp', host: 'fe80::1', port: null });
  });

  it('is refused where ssh or a shell could read more into it', () => {
    const hostile = [
      'ssh://-oProxyCommand=touch%20x',
      'ssh://-oProxyCommand=x@host',
      'ssh://me@-oProxyCommand=x',
      'ssh://-l@host',
      'ssh://me@host:-p',
      'ssh://me@host:0',
      'ssh://host;touch x',
      'ssh://host$(x)',
      'ssh://%2doProxyCommand=x',
      'ssh://me%2d@%24(x)',
      'ssh://ho\u202Est',
      'ssh://host\n-oProxyCommand=x',
      'ssh://me:password@host',
      'ssh://@host',
      'ssh://',
    ];
    for (const url of hostile) {
      assert.equal(sshAddressOf(url), null, url);
      assert.equal(taken(url), false, url);
      assert.throws(() => new SshShell(url, machineTime), /no address for ssh/);
    }
    assert.equal(sshAddressOf('ssh://host:70000'), null);
    assert.ok(taken('ssh://me@far:2222') && taken('ssh://[::1]') && taken('local:') && taken('http://127.0.0.1:8265'));
    assert.equal(endpointSchema.safeParse({ ...endpointDefaults.verl, workdir: '-P' }).success, false);
  });

  it('never has a word that begins with a hyphen, whatever is tried', () => {
    const unit = fc.constantFrom('-', 'o', '@', ':', '[', ']', '%', '2', 'd', ' ', '.', '/');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const address = sshAddressOf(`ssh://${text}`);
        for (const part of [address?.user ?? 'a', address?.host ?? 'a'])
          assert.match(part, /^[A-Za-z0-9_:][\w.:@+-]*$/);
      }),
      { numRuns: 20_000 },
    );
  });
});
