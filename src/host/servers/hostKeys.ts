/**
 * Keys of endpoints in the editor: from the environment, or from its secret storage, after asking for them once; sent
 * only with the user's consent.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod';
import { once } from '../once.ts';
import { environmentKey, KeyError, keyReference, type Keys } from '../../launch/access/keys.ts';
import { covers, permitSchema, permitsFor, staysHere, writtenPermit, type Permit } from '../../launch/access/permit.ts';
import { originOf } from '../../shared/experiment/endpoints/origins.ts';
import type { Address } from '../../launch/access/address.ts';
import { registerCommand } from '../commands/registerCommand.ts';

const prefix = 'genenv.key.';
/** Names of the stored secrets: the secret storage cannot list them. */
const namesKey = 'genenv.keys';
const namesSchema = once(() => z.array(z.string()));
/** Of this machine and all its workspaces, in the editor's own storage: no repository can bring it. */
const permitsKey = 'genenv.permits';
const permitsSchema = once(() => z.array(permitSchema));

export class HostKeys implements Keys {
  readonly #secrets: vscode.SecretStorage;
  readonly #memory: vscode.Memento;
  /** Two policies of one server ask at the same time: a person is asked once. */
  readonly #asking = new Map<string, Promise<string>>();
  readonly #agreeing = new Map<string, Promise<void>>();
  readonly #allowed = new vscode.EventEmitter<void>();
  /** Something more may be sent. */
  readonly onDidAllow = this.#allowed.event;

  constructor({ secrets, globalState }: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>) {
    this.#secrets = secrets;
    this.#memory = globalState;
  }

  /** Asks a person whether the key may be sent there, and for a secret that is not kept yet. */
  async find(reference: string, url: string): Promise<string> {
    const { place, name } = keyReference(reference);
    await this.#agree({ key: reference, origin: originOf(url) });
    if (place === 'env') return environmentKey(name, process.env);
    const kept = await this.#secrets.get(prefix + name);
    if (kept !== undefined) return kept;
    const asking = this.#asking.get(name) ?? this.#askAndKeep(name).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  /** Asks a person whether requests may go there. */
  async reach(url: string): Promise<void> {
    await this.#agree({ key: null, origin: originOf(url) });
  }

  /** The same keys for work that starts by itself: nothing is sent that a person has not agreed to before. */
  readonly quiet: Keys = {
    find: async (reference, url) => {
      const { place, name } = keyReference(reference);
      this.#demand({ key: reference, origin: originOf(url) });
      if (place === 'env') return environmentKey(name, process.env);
      const kept = await this.#secrets.get(prefix + name);
      if (kept === undefined) throw missing(name);
      return kept;
    },
    reach: (url) =>
      new Promise((resolve) => {
        this.#demand({ key: null, origin: originOf(url) });
        resolve();
      }),
  };

  get names(): readonly string[] {
    return namesSchema().safeParse(this.#memory.get(namesKey)).data ?? [];
  }

  get permits(): readonly Permit[] {
    return permitsSchema().safeParse(this.#memory.get(permitsKey)).data ?? [];
  }

  /** Whether the user has agreed to an address's needs; jobs of this machine send nothing elsewhere. */
  allows({ url, key }: Pick<Address, 'url' | 'key'>): boolean {
    return permitsFor(url, key).every((permit) => permit.origin.startsWith('local:') || covers(this.permits, permit));
  }

  /** For addresses that a person types, with the place of their key. */
  async allow(...permits: readonly Permit[]): Promise<void> {
    const more = permits.filter((permit) => !covers(this.permits, permit));
    if (more.length === 0) return;
    await this.#memory.update(permitsKey, [...this.permits, ...more]);
    this.#allowed.fire();
  }

  /** Nothing is sent there before a person agrees again. */
  async forbid(permit: Permit): Promise<void> {
    const same = writtenPermit(permit);
    await this.#memory.update(
      permitsKey,
      this.permits.filter((one) => writtenPermit(one) !== same),
    );
    this.#allowed.fire();
  }

  /** Undefined when nothing was typed. */
  async set(name: string): Promise<string | undefined> {
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t('Key “{0}”', name),
      prompt: vscode.l10n.t('Kept in the secret storage of this editor; never in a file, a journal or a log.'),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined || key === '') return undefined;
    await this.#secrets.store(prefix + name, key);
    await this.#memory.update(namesKey, [...new Set([...this.names, name])].sort());
    return key;
  }

  async forget(name: string): Promise<void> {
    await this.#secrets.delete(prefix + name);
    await this.#memory.update(
      namesKey,
      this.names.filter((one) => one !== name),
    );
  }

  async #askAndKeep(name: string): Promise<string> {
    const key = await this.set(name);
    if (key !== undefined) return key;
    throw missing(name);
  }

  #demand(permit: Permit): void {
    if (!covers(this.permits, permit)) throw notAllowed(permit);
  }

  async #agree(permit: Permit): Promise<void> {
    if (covers(this.permits, permit)) return;
    const id = writtenPermit(permit);
    const agreeing = this.#agreeing.get(id) ?? this.#ask(permit).finally(() => this.#agreeing.delete(id));
    this.#agreeing.set(id, agreeing);
    await agreeing;
  }

  async #ask(permit: Permit): Promise<void> {
    // The user has just started the run that needs it, and it sends nothing off this machine and no key.
    if (!staysHere(permit)) {
      const allow = vscode.l10n.t('Allow');
      const { key, origin } = permit;
      const question =
        key === null
          ? vscode.l10n.t('Allow requests to {0}?', origin)
          : vscode.l10n.t('Send the key {0} to {1}?', key, origin);
      const detail =
        key === null
          ? vscode.l10n.t('Tasks and attempts will be sent there. Allow it only if you know this server.')
          : vscode.l10n.t('A file of this workspace names this key for this address. Allow it only if both are yours.');
      if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, allow)) !== allow) {
        throw notAllowed(permit);
      }
    }
    await this.allow(permit);
  }
}

const missing = (name: string): KeyError =>
  new KeyError(
    'missing',
    l10n.t('The key “{0}” is not set.', name),
    l10n.t('Set it with “GenEnv: Set Key…” from the palette, then try again.'),
  );

const notAllowed = ({ key, origin }: Permit): KeyError =>
  new KeyError(
    'not-allowed',
    key === null
      ? l10n.t('Requests to {0} are not allowed yet.', origin)
      : l10n.t('Sending {0} to {1} is not allowed yet.', key, origin),
    l10n.t('If you trust this address, run “GenEnv: Allow Endpoint…”, then try again.'),
  );

/** `Set Key…`, `Forget Key…` and `Forbid Endpoint…`. */
export function registerKeyCommands(keys: HostKeys): vscode.Disposable {
  const other = vscode.l10n.t('Another name…');
  const set = registerCommand('genenv.setKey', async (argument?: unknown) => {
    const wanted = typeof argument === 'string' ? argument : undefined;
    const known =
      wanted ??
      (await vscode.window.showQuickPick([...keys.names, other], {
        title: vscode.l10n.t('Which key to set?'),
        placeHolder: vscode.l10n.t('As an experiment names it: ${secret:NAME}'),
      }));
    const name =
      known === other
        ? await vscode.window.showInputBox({
            ignoreFocusOut: true,
            title: vscode.l10n.t('Name of the key'),
            prompt: vscode.l10n.t('An experiment refers to it as ${secret:NAME}.'),
            validateInput: (text) =>
              /^[A-Za-z_][\w.-]*$/.test(text) ? null : vscode.l10n.t('A name has letters, digits, “_”, “-” and “.”.'),
          })
        : known;
    if (name === undefined || (await keys.set(name)) === undefined) return;
    void vscode.window.showInformationMessage(vscode.l10n.t('The key “{0}” is set.', name));
  });
  const forget = registerCommand('genenv.forgetKey', async () => {
    if (keys.names.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No key is saved here.'));
      return;
    }
    const name = await vscode.window.showQuickPick([...keys.names], { title: vscode.l10n.t('Which key to forget?') });
    if (name === undefined) return;
    await keys.forget(name);
    void vscode.window.showInformationMessage(vscode.l10n.t('The key “{0}” is forgotten.', name));
  });
  const forbid = registerCommand('genenv.forbidEndpoint', async () => {
    const items = keys.permits.map((permit) => ({
      label: permit.origin,
      description: permit.key ?? vscode.l10n.t('without a key'),
      permit,
    }));
    if (items.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No endpoint is allowed yet.'));
      return;
    }
    const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which endpoint to forbid?') });
    if (picked !== undefined) await keys.forbid(picked.permit);
  });
  return vscode.Disposable.from(set, forget, forbid);
}
