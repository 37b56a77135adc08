/** Hovers at the pointer: a call's schema, a reward's computation, a verdict, a surprise. */
import * as vscode from 'vscode';
import { plainMarkdown } from '../plainMarkdown.ts';
import { number } from '../../shared/text/figures/numbers.ts';
import { parts } from '../trees/words.ts';
import { computationText } from './layout/computationWords.ts';
import type { Meaning } from './layout/meaning.ts';
import type { LaidOut } from './layout/page.ts';
import { judgedWord } from './layout/verdictWords.ts';
import { inWords } from '../../shared/journal/recordedWords.ts';

export function hoverAt({ marks }: LaidOut, { line, character }: vscode.Position): vscode.Hover | null {
  const here = marks.filter((mark) => mark.line === line && mark.start <= character && character <= mark.end);
  const told = here.flatMap(({ means }) => wordsOf(means));
  const [first] = here;
  if (first === undefined || told.length === 0) return null;
  return new vscode.Hover(told, new vscode.Range(line, first.start, line, first.end));
}

function wordsOf(means: Meaning): vscode.MarkdownString[] {
  switch (means.kind) {
    case 'call': {
      const { name, description, parameters } = means.tool;
      const text = new vscode.MarkdownString(`**${plainMarkdown(name)}** ${plainMarkdown(description)}`);
      return [text.appendCodeblock(JSON.stringify(parameters, null, 2), 'json')];
    }
    case 'reward':
      return [new vscode.MarkdownString(computationText(means.computation))];
    case 'verdict': {
      const { verdict } = means;
      return [
        new vscode.MarkdownString(
          plainMarkdown(parts(judgedWord(verdict), inWords(verdict.note ?? ''), inWords(verdict.error ?? ''))),
        ),
      ];
    }
    case 'surprising':
      return [
        new vscode.MarkdownString(
          vscode.l10n.t(
            'Surprise {0} nats: the agent gave this word p = {1}.',
            number(means.nats),
            number(Math.exp(-means.nats)),
          ),
        ),
      ];
    default:
      return [];
  }
}
