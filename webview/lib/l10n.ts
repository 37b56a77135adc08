/**
 * Texts and figures of a page in the editor's language: the host puts its bundle into the page. English where there is none. A page
 * imports it before everything else, because some texts are made while modules load.
 */
import * as l10n from '@vscode/l10n';
import { notationOf, writeFiguresBy } from '../../src/shared/text/figures/notation.ts';

const bundle = document.getElementById('l10n')?.textContent;
if (bundle !== undefined && bundle !== '') {
  l10n.config({ contents: bundle });
  const signs = notationOf(document.documentElement.lang);
  writeFiguresBy(() => signs);
}
