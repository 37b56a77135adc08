import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension', () => {
  const extension = () => {
    const found = vscode.extensions.getExtension('genenv.genenv');
    assert.ok(found);
    return found;
  };

  it('activates', async () => {
    await extension().activate();
    assert.ok(extension().isActive);
  });
});
