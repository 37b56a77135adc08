/** Keys of endpoints in the editor: from the environment, or from its secret storage, where they are asked for once. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { environmentKey, KeyError, keyReference, type Keys } from '../../launch/keys.ts';

const prefix = 'genenv.key.';
/** Names of what the secret storage holds: it cannot list them itself. */
const namesKey = 'genenv.keys';
const namesSchema = z.array(z.string());

export class HostKeys implements Keys {
  readonly #secrets: vscode.SecretStorage;
  readonly #memory: vscode.Memento;
  /** Two policies of one server ask at the same time: a person is asked once. */
  readonly #asking = new Map<string, Promise<string>>();

  constructor({ secrets, globalState }: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>) {
    this.#secrets = secrets;
    this.#memory = globalState;
  }

  /** Asks a person for a secret that is not kept yet. */
  async find(reference: string): Promise<string> {
    const { place, name } = keyReference(reference);
    if (place === 'env') return environmentKey(name, process.env);
    const kept = await this.#secrets.get(prefix + name);
    if (kept !== undefined) return kept;
    const asking = this.#asking.get(name) ?? this.#askAndKeep(name).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  /** The same keys for what goes on by itself: nobody is asked. */
  readonly quiet: Keys = {
    find: async (reference) => {
      const { place, name } = keyReference(reference);
      if (place === 'env') return environmentKey(name, process.env);
      const kept = await this.#secrets.get(prefix + name);
      if (kept === undefined) throw missing(name);
      return kept;
    },
  };

  get names(): readonly string[] {
    return namesSchema.safeParse(this.#memory.get(namesKey)).data ?? [];
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
}

const missing = (name: string): KeyError =>
  new KeyError(
    'missing',
    vscode.l10n.t('The key “{0}” is not set.', name),
    vscode.l10n.t('Set it with “GenEnv: Set Key…” from the palette, then try again.'),
  );

/** `Set Key…` and `Forget Key…`. */
export function registerKeyCommands(keys: HostKeys): vscode.Disposable {
  const other = vscode.l10n.t('Another name…');
  const set = vscode.commands.registerCommand('genenv.setKey', async (argument?: unknown) => {
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
            title: vscode.l10n.t('Name of the key'),
            prompt: vscode.l10n.t('An experiment refers to it as ${secret:NAME}.'),
            validateInput: (text) =>
              /^[A-Za-z_][\w.-]*$/.test(text) ? null : vscode.l10n.t('A name has letters, digits, “_”, “-” and “.”.'),
          })
        : known;
    if (name === undefined || (await keys.set(name)) === undefined) return;
    void vscode.window.showInformationMessage(vscode.l10n.t('The key “{0}” is set.', name));
  });
  const forget = vscode.commands.registerCommand('genenv.forgetKey', async () => {
    if (keys.names.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No key is kept here.'));
      return;
    }
    const name = await vscode.window.showQuickPick([...keys.names], { title: vscode.l10n.t('Which key to forget?') });
    if (name === undefined) return;
    await keys.forget(name);
    void vscode.window.showInformationMessage(vscode.l10n.t('The key “{0}” is forgotten.', name));
  });
  return vscode.Disposable.from(set, forget);
}
