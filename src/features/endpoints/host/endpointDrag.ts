/** Remembered endpoints are put into another order by dragging them. */
import * as vscode from 'vscode';
import type { EndpointsProvider } from './endpointsProvider.ts';
import type { EndpointNode } from './endpointNode.ts';

const type = 'application/vnd.code.tree.genenv.endpoints';

export class EndpointDrag implements vscode.TreeDragAndDropController<EndpointNode> {
  readonly dragMimeTypes = [type];
  readonly dropMimeTypes = [type];
  readonly #provider: EndpointsProvider;

  constructor(provider: EndpointsProvider) {
    this.#provider = provider;
  }

  handleDrag(nodes: readonly EndpointNode[], data: vscode.DataTransfer): void {
    const [node] = nodes;
    const entry = node === undefined ? null : this.#provider.entryOf(node);
    if (entry !== null) data.set(type, new vscode.DataTransferItem(entry.index));
  }

  /** Onto another one: into its place. Anywhere else: to the end. */
  async handleDrop(target: EndpointNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const from: unknown = data.get(type)?.value;
    if (typeof from !== 'number') return;
    const onto = target === undefined ? null : this.#provider.entryOf(target);
    const [{ changeRemembered }, { moved }] = await Promise.all([
      import('../../../host/servers/rememberedEndpoints.ts'),
      import('../../../shared/experiment/endpoints/rememberedEndpoint.ts'),
    ]);
    await changeRemembered((entries) => moved(entries, from, onto?.index ?? entries.length - 1));
  }
}
