/** The language of texts that the editor, its pages and the command line share: English where nothing sets another. */
import * as l10n from '@vscode/l10n';

let spoken: l10n.l10nJsonFormat = {};

/** @param bundle translations by their English texts */
export function speak(bundle: l10n.l10nJsonFormat): void {
  spoken = bundle;
  l10n.config({ contents: bundle });
}

/** For texts that go to disk or to programs, which stay English in every window. Only for texts made before it returns. */
export function inEnglish<T>(make: () => T): T {
  l10n.config({ contents: {} });
  try {
    return make();
  } finally {
    l10n.config({ contents: spoken });
  }
}
