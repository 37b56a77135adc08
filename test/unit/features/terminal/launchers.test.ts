import assert from 'node:assert/strict';
import { launchersFor, terminalEnvironment } from '../../../../src/features/terminal/core/launchers.ts';

describe('a terminal with genenv', () => {
  const given = { program: '/opt/Code/code', file: '/ext/genenv.cjs', folder: '/store/bin' };

  it('finds it before all others, by the path as its system names it', () => {
    assert.deepEqual(terminalEnvironment(given, { PATH: '/usr/bin', HOME: '/h' }, ':'), {
      GENENV_NODE: '/opt/Code/code',
      GENENV_PROGRAM: '/ext/genenv.cjs',
      PATH: '/store/bin:/usr/bin',
    });
    assert.equal(terminalEnvironment(given, { Path: 'C:\\Windows' }, ';')['Path'], '/store/bin;C:\\Windows');
    assert.equal(terminalEnvironment(given, {}, ':')['PATH'], '/store/bin');
  });

  it('has a batch file beside the script on Windows alone, and no path in either', () => {
    assert.deepEqual(
      launchersFor('linux').map(({ name }) => name),
      ['genenv'],
    );
    const [script, batch, ...more] = launchersFor('win32');
    assert.equal(more.length, 0);
    assert.match(script?.text ?? '', /^#!\/bin\/sh\n[^\r]*exec "\$GENENV_NODE" "\$GENENV_PROGRAM" "\$@"\n$/);
    assert.match(batch?.text ?? '', /ELECTRON_RUN_AS_NODE=1"\r\n[^]*"%GENENV_NODE%" "%GENENV_PROGRAM%" %\*\r\n/);
    assert.ok(!/[^\r]\n/.test(batch?.text ?? ''), 'the lines of a batch file end with both');
  });
});
